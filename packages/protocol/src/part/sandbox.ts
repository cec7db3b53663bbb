import * as z from "zod";

const network = z
  .boolean()
  .describe("Whether commands may use the network; the agent itself always reaches its model.");

/** The sandbox that a new session asks for. */
export const SandboxWish = z.strictObject({ network }).meta({ id: "SandboxWish" });
export type SandboxWish = z.infer<typeof SandboxWish>;

/** The sandbox that a session's commands run in. */
export const SessionSandbox = z
  .object({
    kind: z
      .enum(["commands"])
      .describe(
        "`commands`: the shell commands of the agent run in its own sandbox and write only inside its directory; other tools are held by permissions.",
      ),
    network,
  })
  .meta({ id: "SessionSandbox" });
export type SessionSandbox = z.infer<typeof SessionSandbox>;
