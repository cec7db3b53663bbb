import { draft, type EventDraft, type Usage } from "@turnwire/protocol";
import type { ClaudeMessageOf, Tokens } from "./message.ts";
import type { ClaudeState, RunningTurn } from "./state.ts";

type Result = ClaudeMessageOf<"result">;

/** The tokens behind one result, sub-agents included where the CLI reports them. */
export function usageFrom({ model_usage_since_last_result: models, usage }: Result): Usage {
  if (models) {
    return Object.values(models).reduce<Usage>(
      (sum, model) =>
        sumOf(sum, {
          input_tokens: model.inputTokens ?? 0,
          output_tokens: model.outputTokens ?? 0,
          cache_read_tokens: model.cacheReadInputTokens ?? 0,
          cache_write_tokens: model.cacheCreationInputTokens ?? 0,
          reasoning_tokens: model.thinkingTokens ?? 0,
        }),
      {},
    );
  }
  return {
    input_tokens: usage?.input_tokens ?? 0,
    output_tokens: usage?.output_tokens ?? 0,
    cache_read_tokens: usage?.cache_read_input_tokens ?? 0,
    cache_write_tokens: usage?.cache_creation_input_tokens ?? 0,
    reasoning_tokens: usage?.output_tokens_details?.thinking_tokens ?? 0,
  };
}

/** What one result cost: the CLI's own difference, or that of its running totals. */
export function costOf(state: ClaudeState, result: Result): number {
  const { model_usage_since_last_result: models, total_cost_usd: total } = result;
  if (models) return Object.values(models).reduce((sum, { costUSD = 0 }) => sum + costUSD, 0);
  return Math.max(0, (total ?? 0) - state.totalCostUsd);
}

export function sumOf(left: Usage, right: Usage): Usage {
  const figures = (["input", "output", "cache_read", "cache_write", "reasoning"] as const).map(
    (name) => {
      const figure = `${name}_tokens` as const;
      return [figure, (left[figure] ?? 0) + (right[figure] ?? 0)];
    },
  );
  return Object.fromEntries(figures);
}

/** The running turn calls its model, or the model has answered: all tokens count, cached ones too. */
export function countCall(state: ClaudeState, tokens: Tokens): ClaudeState {
  const { turn } = state;
  if (!turn) return state;
  return { ...state, turn: { ...turn, streamedTokens: turn.streamedTokens + totalOf(tokens) } };
}

/** What the running turn has used so far, for budgets that end it in the middle. */
export function progressEvents({ turn }: ClaudeState): EventDraft[] {
  return turn ? [draft("usage", { turn_tokens: turnTokens(turn) })] : [];
}

/** All tokens of a turn: as its results report them, or as far as its calls have come. */
export function turnTokens({ usage, streamedTokens }: RunningTurn): number {
  const { input_tokens = 0, output_tokens = 0 } = usage;
  const { cache_read_tokens = 0, cache_write_tokens = 0 } = usage;
  const reported = input_tokens + output_tokens + cache_read_tokens + cache_write_tokens;
  return Math.max(reported, streamedTokens);
}

function totalOf(tokens: Tokens): number {
  const { input_tokens, output_tokens, cache_read_input_tokens, cache_creation_input_tokens } =
    tokens;
  return [
    input_tokens,
    output_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens,
  ].reduce<number>((sum, figure) => sum + (figure ?? 0), 0);
}

/** How full the main agent's context is. */
export function contextOf({ context, contextWindow }: ClaudeState): Usage {
  const tokens = totalOf(context);
  return {
    ...(tokens > 0 && { context_tokens: tokens }),
    ...(contextWindow !== undefined && { context_window: contextWindow }),
  };
}

export function contextWindowOf({ facts }: ClaudeState, result: Result): number | undefined {
  const models = result.modelUsage ?? {};
  const model = facts.model;
  if (model === undefined || !Object.hasOwn(models, model)) return undefined;
  return models[model]?.contextWindow;
}
