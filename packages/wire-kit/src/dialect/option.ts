import type { CreateSession, SessionFacts, SessionState } from "@turnwire/protocol";
import { defined } from "@turnwire/base";
import * as z from "zod";

/** Thinks as the agent does by default. */
export const DEFAULT_THINKING = "default_on";
/** As little as the agent can: there is none here that does not think at all. */
const LEAST_THINKING = "off";

const name = z.string().min(1).max(200);

/**
 * What a client may set. Everything else of the SDK's options would let it choose programs,
 * environments, servers or rights: the server's owner configures them.
 */
export const KitOptions = z.object({
  cwd: z.string().min(1).max(4096).optional(),
  model: name.nullable().optional(),
  permissionMode: name.optional(),
  thinkingLevel: name.optional(),
  includePartialMessages: z.boolean().optional(),
});
export type KitOptions = z.infer<typeof KitOptions>;

/** The names of options that a client may not set. */
export function foreignOptions(options: object): string[] {
  return Object.keys(options).filter((key) => !Object.hasOwn(KitOptions.shape, key));
}

/** The options of a session that is created with them. */
export function creationFrom(options: KitOptions, efforts: readonly string[]): CreateSession {
  const { cwd, model, permissionMode: permission_mode, thinkingLevel } = options;
  const effort = thinkingLevel === undefined ? undefined : effortFrom(thinkingLevel, efforts);
  return defined({
    cwd,
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

/** The options in force in a session, as far as clients may know them. */
function optionsOf(session: SessionFacts): object {
  const { cwd, model, permission_mode: permissionMode } = session;
  return { ...defined({ cwd, model, permissionMode }), thinkingLevel: thinkingLevelOf(session) };
}

/** What a session's settings are, in the fields of `session_state_changed`. */
export function settingsOf({ session }: Pick<SessionState, "session">): object {
  const { permission_mode, title } = session;
  return {
    options: optionsOf(session),
    permissionMode: permission_mode ?? "default",
    thinkingLevel: thinkingLevelOf(session),
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
