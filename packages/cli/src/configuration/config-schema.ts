import { PolicyFile } from "@turnwire/policy";
import { McpServer, sessionConfiguration, WorktreeSetup } from "@turnwire/protocol";
import * as z from "zod";
import type { Option } from "../option/option.ts";
import { settings } from "../option/option-table.ts";

const model = z.string().min(1).max(200).optional();

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

/** The key of a setting: its flag with `_` for `-`. */
type KeyOf<Name> = Name extends `${infer Head}-${infer Rest}` ? `${Head}_${KeyOf<Rest>}` : Name;

type SettingsShape = {
  readonly [Name in keyof typeof settings as KeyOf<Name>]: z.ZodOptional<
    (typeof settings)[Name]["schema"]
  >;
};

function settingsShape(): SettingsShape {
  const entries = Object.values<Option>(settings).map(({ key = "", schema, ...option }) => [
    key,
    schema.optional().describe(descriptionOf(option)),
  ]);
  // The keys are those of the type, by the same rule.
  return Object.fromEntries(entries) as SettingsShape;
}

function descriptionOf({
  description,
  fallback,
}: Pick<Option, "description" | "fallback">): string {
  return fallback === undefined ? `${description}.` : `${description}. Default: ${fallback}.`;
}

/** The file `turnwire.config.json` or `turnwire.config.ts`: the settings of a server, and what has no flag. */
export const TurnwireConfig = z
  .strictObject({
    $schema: z.string().optional().describe("For editors."),
    ...settingsShape(),
    policy: z
      .strictObject({ modes: PolicyFile.shape.modes })
      .optional()
      .describe("Policy modes, as in the file `policy.json` of the data directory."),
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
