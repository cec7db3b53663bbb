import { PolicyFile } from "@turnwire/policy";
import { McpServer, sessionConfiguration, WorktreeSetup } from "@turnwire/protocol";
import * as z from "zod";

const model = z.string().min(1).max(200).optional();
const words = z.array(z.string().min(1));
const count = z.int().positive();

const sessionDefaults = {
  ...sessionConfiguration,
  mcp_servers: z
    .record(z.string(), McpServer)
    .optional()
    .describe("MCP servers of every session, by name."),
};

const runtimeDefaults = z.strictObject({
  model: model.describe("The model of sessions that name none."),
  ...sessionDefaults,
});

/** The file `turnwire.config.json` or `turnwire.config.ts`. Names are those of the flags of `turnwire serve`, with `_` for `-`. */
export const TurnwireConfig = z
  .strictObject({
    $schema: z.string().optional().describe("For editors."),
    host: z.string().min(1).optional().describe("The address to listen on."),
    port: z.int().min(0).max(65_535).optional().describe("The port to listen on."),
    store: z.enum(["sqlite", "memory"]).optional().describe("Where the logs are kept."),
    durability: z
      .enum(["durable", "fast"])
      .optional()
      .describe("`durable` survives a power failure, `fast` only a crash of the process."),
    runtime: z.string().min(1).optional().describe("The runtime of sessions that name none."),
    root: words.optional().describe("Directories that agents may work in, and nowhere else."),
    trust: words
      .optional()
      .describe("Directories whose own files configure their agents, as they are at the start."),
    policy_mode: z
      .string()
      .min(1)
      .max(100)
      .optional()
      .describe("The policy mode of sessions that name none; without it they have none."),
    policy: z
      .strictObject({ modes: PolicyFile.shape.modes })
      .optional()
      .describe("Policy modes, as in the file `policy.json` of the data directory."),
    no_user_settings: z
      .boolean()
      .optional()
      .describe("Leave out your own settings of Claude and Codex."),
    ring: count.optional().describe("Events kept in memory per session."),
    retain: count.optional().describe("Events kept in the log per session."),
    idle: count
      .optional()
      .describe("Milliseconds without use after which a session stops its agent."),
    max_live: count.optional().describe("How many agents may run at once."),
    webkit_replay: z
      .enum(["store", "ring"])
      .optional()
      .describe("Where agent-webkit clients resume from."),
    relay: z
      .boolean()
      .optional()
      .describe("Open a relay too, for Claude CLIs that dial in and their front ends."),
    allow_origin: words.optional().describe("Other sites whose pages may use the server."),
    allow_host: words.optional().describe("Other host names of the server."),
    no_auth: z
      .boolean()
      .optional()
      .describe("Accept every request from this machine; only on a loopback address."),
    log_level: z
      .enum(["debug", "info", "warn", "error", "silent"])
      .optional()
      .describe("How much goes to the log on standard error."),
    worktrees: WorktreeSetup.optional().describe(
      "How the git worktrees of sessions are prepared, in repositories that are trusted or have nothing to trust.",
    ),
    session: z
      .strictObject(sessionDefaults)
      .optional()
      .describe("What sessions of every runtime are configured with, as far as it supports it."),
    runtimes: z
      .strictObject({
        claude: runtimeDefaults.optional().describe("What sessions of Claude are configured with."),
        codex: runtimeDefaults
          .extend({
            url: z
              .url({ protocol: /^wss?$/ })
              .optional()
              .describe("An app-server that runs already; without it, one is started."),
            token: z.string().min(1).optional().describe("The bearer token of that app-server."),
          })
          .optional()
          .describe("What sessions of Codex are configured with."),
        "codex-exec": runtimeDefaults
          .optional()
          .describe("What sessions of Codex (exec) are configured with."),
        "claude-cli": runtimeDefaults
          .optional()
          .describe("What sessions of Claude (CLI) are configured with."),
      })
      .optional()
      .describe("Defaults per runtime; they go before `session`."),
  })
  .meta({ id: "TurnwireConfig", title: "turnwire.config" });
export type TurnwireConfig = z.infer<typeof TurnwireConfig>;

/** A configuration as a person writes it: what has a default may be left out. */
export type WrittenConfig = z.input<typeof TurnwireConfig>;
