import { demo } from "@turnwire/runtime/demo";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { createMemoryStore, createSessionHost, createTurnwireServer } from "@turnwire/server";

export interface AgentServer {
  readonly url: string;
  readonly token: string;
  readonly close: () => Promise<void>;
}

/** A Turnwire server in this process: the demo agent, which needs no key, and sessions in memory. */
export async function startAgentServer(): Promise<AgentServer> {
  const token = randomBytes(32).toString("hex");
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo()],
    defaultRuntime: "demo",
    roots: [tmpdir()],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
  const { url } = await server.listen();
  return { url, token, close: () => server.close() };
}
