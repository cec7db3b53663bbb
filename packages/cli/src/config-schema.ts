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
    store: z
      .union([z.enum(["sqlite", "memory", "postgres"]), z.string().regex(/^postgres(ql)?:\/\//)])
      .optional()
      .describe(
        "Where logs are stored: `sqlite`, `memory`, `postgres://…` for several hosts, or `postgres` to try it.",
      ),
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
    max_live_shared: count
      .optional()
      .describe("How many agents may run at once across all hosts of the store."),
    drain_seconds: z
      .int()
      .min(0)
      .max(86_400)
      .optional()
      .describe("When the server is stopped: how many seconds running turns get to finish."),
    storage: z
      .string()
      .min(1)
      .optional()
      .describe(
        "With several hosts on one store: a name for the directories that this host sees; hosts with the same name can run each other's sessions.",
      ),
    lease_seconds: z
      .int()
      .min(1)
      .max(3600)
      .optional()
      .describe(
        "With several hosts on one store: seconds without a sign of life after which other hosts take over a host's sessions.",
      ),
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
    trusted_proxy: words
      .optional()
      .describe("Proxies, or networks of them, whose X-Forwarded-For names the client."),
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
