import { isDeepStrictEqual } from "node:util";
import type { CreateSession, SessionFacts, SessionState } from "@turnwire/protocol";
import { defined } from "@turnwire/base";
import * as z from "zod";

/** Thinks as the agent does by default. */
export const DEFAULT_THINKING = "default_on";
/** As little as the agent can: there is none here that does not think at all. */
const LEAST_THINKING = "off";

const name = z.string().min(1).max(200);

/**
 * The options that the kit's own server begins with, which its clients read. Here the server's
 * configuration and policy decide about tools, servers, hooks and turns.
 */
const DEFAULT_OPTIONS = {
  maxTurns: 100,
  allowedTools: [
    "Task",
    "Bash",
    "Glob",
    "Grep",
    "LS",
    "ExitPlanMode",
    "Read",
    "Edit",
    "MultiEdit",
    "Write",
    "NotebookEdit",
    "WebFetch",
    "TodoWrite",
    "WebSearch",
    "BashOutput",
    "KillBash",
  ],
  mcpServers: {},
  hooks: {},
  thinkingLevel: DEFAULT_THINKING,
};

/**
 * What a client may set. Everything else of the SDK's options would let it choose programs,
 * environments, servers or rights: the server's owner configures them.
 */
export const KitOptions = z.object({
  /** Blank or null: none. */
  cwd: z.string().trim().max(4096).nullable().optional(),
  model: name.nullable().optional(),
  permissionMode: name.optional(),
  thinkingLevel: name.optional(),
  includePartialMessages: z.boolean().optional(),
});
export type KitOptions = z.infer<typeof KitOptions>;

/** The names of options that a client may not set; one that comes back as it was shown changes nothing. */
export function foreignOptions(options: object): string[] {
  const shown = new Map<string, unknown>(Object.entries(DEFAULT_OPTIONS));
  return Object.entries(options)
    .filter(([key]) => !Object.hasOwn(KitOptions.shape, key))
    .filter(([key, value]) => !shown.has(key) || !isDeepStrictEqual(value, shown.get(key)))
    .map(([key]) => key);
}

/** The options that a client has set and not removed. */
export function mergedOptions(earlier: KitOptions, change: KitOptions): KitOptions {
  const { cwd, ...rest } = { ...earlier, ...change };
  return { ...rest, ...(cwd && { cwd }) };
}

/** All options in force, as clients see them. */
export function shownOptions(options: KitOptions): object {
  return { ...DEFAULT_OPTIONS, ...defined(options) };
}

/** The options of a session that is created with them. */
export function creationFrom(options: KitOptions, efforts: readonly string[]): CreateSession {
  const { cwd, model, permissionMode: permission_mode, thinkingLevel } = options;
  const effort = thinkingLevel === undefined ? undefined : effortFrom(thinkingLevel, efforts);
  return defined({
    cwd: cwd ?? undefined,
    model: model ?? undefined,
    permission_mode,
    effort: effort ?? undefined,
  });
}

/** The effort that a thinking level means; null: the agent's default. */
export function effortFrom(level: string, efforts: readonly string[]): string | null {
  if (level === DEFAULT_THINKING) return null;
  return level === LEAST_THINKING ? (efforts[0] ?? null) : level;
}

export function thinkingLevelOf({ effort, capabilities }: SessionFacts): string {
  if (effort === undefined) return DEFAULT_THINKING;
  return effort === capabilities.efforts[0] ? LEAST_THINKING : effort;
}

/** What a session's settings are, in the fields of `session_state_changed`. */
export function settingsOf(
  { session }: Pick<SessionState, "session">,
  ofConnection: Pick<KitOptions, "includePartialMessages"> = {},
): object {
  const { cwd, model, permission_mode: permissionMode, title } = session;
  const thinkingLevel = thinkingLevelOf(session);
  const options = defined({ cwd, model, permissionMode, thinkingLevel, ...ofConnection });
  return {
    options: shownOptions(options),
    permissionMode: permissionMode ?? "default",
    thinkingLevel,
    ...defined({ title }),
  };
}

export function usageOf({ usage }: SessionState): object {
  const { input_tokens, output_tokens, cache_read_tokens, cache_write_tokens } = usage;
  const { context_tokens, context_window, total_cost_usd } = usage;
  return defined({
    inputTokens: input_tokens,
    outputTokens: output_tokens,
    cacheReadTokens: cache_read_tokens,
    cacheWriteTokens: cache_write_tokens,
    contextTokens: context_tokens,
    contextWindow: context_window,
    totalCostUsd: total_cost_usd,
  });
}
