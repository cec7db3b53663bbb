import { draft, type EventDraft, type Usage } from "@turnwire/protocol";
import { withEntry } from "@turnwire/runtime";
import type { CodexMessageOf, Tokens } from "../protocol/message.ts";
import { type CodexState, isRoot, type Step, type ThreadUsage } from "./state.ts";

const figures = [
  "totalTokens",
  "inputTokens",
  "cachedInputTokens",
  "cacheWriteInputTokens",
  "outputTokens",
  "reasoningOutputTokens",
] as const;

/** Codex counts per thread, from its first turn on, also over several processes. */
export function takeUsage(
  state: CodexState,
  { params }: CodexMessageOf<"thread/tokenUsage/updated">,
): Step {
  const { threadId, tokenUsage } = params;
  const { total, last, modelContextWindow } = tokenUsage;
  const before = state.usage.get(threadId)?.before ?? combined(total, last, -1);
  const context = {
    ...(last.totalTokens !== undefined && { context_tokens: last.totalTokens }),
    ...(modelContextWindow && { context_window: modelContextWindow }),
  };
  const next = {
    ...state,
    usage: withEntry(state.usage, threadId, { total, before }),
    context: isRoot(state, threadId) ? context : state.context,
  };
  return [next, next.turn ? [usageEvent(next)] : []];
}

/** The next turn counts from here. */
export function closeUsage(state: CodexState): CodexState {
  const usage = new Map(
    [...state.usage].map(([id, { total }]): [string, ThreadUsage] => [
      id,
      { total, before: total },
    ]),
  );
  return { ...state, usage };
}

/** What the running turn has used, its sub-agents included. */
export function turnUsage(state: CodexState): Usage {
  return { ...usageFrom(turnTokens(state)), ...state.context };
}

/** What the session has used so far, and the running turn of it. */
export function usageEvent(state: CodexState): EventDraft {
  const totals = [...state.usage.values()].map(({ total }) => total);
  const { inputTokens = 0, outputTokens = 0 } = turnTokens(state);
  return draft("usage", {
    ...usageFrom(sumOf(totals)),
    ...state.context,
    ...(state.turn && { turn_tokens: inputTokens + outputTokens }),
  });
}

function turnTokens(state: CodexState): Tokens {
  const used = [...state.usage.values()].map(({ total, before }) => combined(total, before, -1));
  return sumOf(used);
}

function sumOf(all: readonly Tokens[]): Tokens {
  return all.reduce((sum, tokens) => combined(sum, tokens, 1), {});
}

function combined(left: Tokens, right: Tokens, sign: 1 | -1): Tokens {
  return Object.fromEntries(
    figures.map((figure) => [figure, (left[figure] ?? 0) + sign * (right[figure] ?? 0)]),
  );
}

function usageFrom(tokens: Tokens): Usage {
  return {
    input_tokens: tokens.inputTokens ?? 0,
    output_tokens: tokens.outputTokens ?? 0,
    cache_read_tokens: tokens.cachedInputTokens ?? 0,
    cache_write_tokens: tokens.cacheWriteInputTokens ?? 0,
    reasoning_tokens: tokens.reasoningOutputTokens ?? 0,
  };
}
