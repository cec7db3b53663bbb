import { draft, type EventDraft } from "@turnwire/protocol";
import { ownTurnId } from "../transcript/input.ts";
import type { ClaudeMessageOf } from "./message.ts";
import { completeMessage } from "./speech.ts";
import {
  andThen,
  type ClaudeState,
  forEach,
  type RunningTurn,
  type Step,
  type TurnVerdict,
  withMember,
} from "./state.ts";
import { closeTools } from "./tool.ts";
import { contextOf, contextWindowOf, costOf, sumOf, turnTokens, usageFrom } from "./usage.ts";

type Result = ClaudeMessageOf<"result">;

/** A turn was handed to the agent. */
export function startTurn(state: ClaudeState, turnId: string, uuid: string): ClaudeState {
  return { ...state, turn: newTurn(turnId), pending: withMember(state.pending, uuid) };
}

/** The agent goes to work by itself, as when a command in the background has ended. */
export function ensureTurn(state: ClaudeState, uuid: string | undefined): Step {
  if (state.turn || uuid === undefined) return [state, []];
  const turnId = ownTurnId(uuid);
  const started = draft("turn_started", { turn_id: turnId }, { turn_id: turnId });
  return [{ ...state, turn: newTurn(turnId) }, [started]];
}

/** The session has cancelled what was open before it let the run interrupt. */
export function stopTurn(state: ClaudeState): ClaudeState {
  const { turn } = state;
  return { ...state, asks: new Map(), turn: turn && { ...turn, isStopping: true } };
}

/** A user message is dealt with when it is neither waiting nor at work. */
export function followInput(
  state: ClaudeState,
  { command_uuid: uuid, state: stage }: ClaudeMessageOf<"command_lifecycle">,
): ClaudeState {
  const next = { ...state, reportsInput: true };
  return stage === "queued" || stage === "started" ? next : settleInput(next, [uuid]);
}

function settleInput(state: ClaudeState, uuids: readonly string[]): ClaudeState {
  const settled = new Set(uuids);
  return { ...state, pending: new Set([...state.pending].filter((uuid) => !settled.has(uuid))) };
}

/** The CLI says what it is doing; when it has nothing left to do, the turn is over. */
export function changeActivity(state: ClaudeState, activity: string): Step {
  const next = { ...state, tellsIdle: true };
  return activity === "idle" ? endIfSettled(next) : [next, []];
}

/**
 * The CLI's result. It is not always the last of our turn: sub-agents in the background and what a
 * person said meanwhile lead to further ones, before the CLI is idle.
 */
export function takeResult(state: ClaudeState, result: Result): Step {
  const verdict = verdictFrom(result);
  const failure = failureFrom(result, verdict);
  const { user_message_uuids: uuids } = result;
  // 2.1.120 reports nothing of its inputs.
  const isReported = state.reportsInput || uuids !== undefined;
  const settled = settleInput(state, uuids ?? (isReported ? [] : [...state.pending]));
  const next: ClaudeState = {
    ...settled,
    turn: settled.turn && {
      ...settled.turn,
      usage: sumOf(settled.turn.usage, usageFrom(result)),
      costUsd: settled.turn.costUsd + costOf(state, result),
      durationMs: settled.turn.durationMs + (result.duration_ms ?? 0),
      verdict,
      isStopping: false,
    },
    totalCostUsd: result.total_cost_usd ?? state.totalCostUsd,
    contextWindow: contextWindowOf(state, result) ?? state.contextWindow,
  };
  return andThen([next, failure ? [failure] : []], (after) =>
    after.tellsIdle || after.background.size > 0 ? [after, []] : endIfSettled(after),
  );
}

function endIfSettled(state: ClaudeState): Step {
  const { turn, pending } = state;
  if (!turn || pending.size > 0) return [state, []];
  return andThen(closeTurn(state), (next) => [
    { ...next, turn: undefined },
    [resultEvent(next, turn), usageEvent(next, turn), doneEvent(turn)],
  ]);
}

/** What a turn leaves open is closed with it. */
function closeTurn(state: ClaudeState): Step {
  const isStopped = isTurnStopped(state.turn);
  const why = isStopped ? "Interrupted." : "The turn ended before the tool did.";
  const closed = andThen(closeTools(state, why), (next) =>
    forEach(next, next.messages.keys(), completeMessage),
  );
  return andThen(closed, (next) => [
    { ...next, completed: new Set(), started: new Set(), background: new Set(), asks: new Map() },
    [],
  ]);
}

const interrupted: TurnVerdict = {
  subtype: "interrupted",
  isError: false,
  isStopped: true,
  text: undefined,
};
const withoutResult: TurnVerdict = {
  subtype: "no_result",
  isError: true,
  isStopped: false,
  text: undefined,
};

function resultEvent(state: ClaudeState, turn: RunningTurn): EventDraft {
  const verdict = turn.isStopping ? interrupted : (turn.verdict ?? withoutResult);
  const { subtype, isError, text, structuredOutput } = verdict;
  return draft("result", {
    turn_id: turn.id,
    subtype,
    is_error: isError,
    ...(text !== undefined && text !== "" && { text }),
    ...(structuredOutput !== undefined && { structured_output: structuredOutput }),
    usage: { ...turn.usage, ...contextOf(state) },
    total_cost_usd: turn.costUsd,
    duration_ms: turn.durationMs,
  });
}

/** The session's own figures: the result above holds those of the turn. */
function usageEvent(state: ClaudeState, turn: RunningTurn): EventDraft {
  return draft("usage", {
    ...contextOf(state),
    total_cost_usd: state.totalCostUsd,
    turn_tokens: turnTokens(turn),
    turn_cost_usd: turn.costUsd,
  });
}

function doneEvent(turn: RunningTurn): EventDraft {
  return draft("done", { turn_id: turn.id, ...(isTurnStopped(turn) && { stopped: true }) });
}

function isTurnStopped(turn: RunningTurn | undefined): boolean {
  return turn?.isStopping === true || turn?.verdict?.isStopped === true;
}

function newTurn(id: string): RunningTurn {
  return {
    id,
    usage: {},
    streamedTokens: 0,
    costUsd: 0,
    durationMs: 0,
    verdict: undefined,
    isStopping: false,
  };
}

/** An interrupted turn is not an error, and an API error is one although its subtype says success. */
function verdictFrom(message: Result): TurnVerdict {
  const { subtype, is_error, terminal_reason, stop_reason, result } = message;
  if (terminal_reason === "aborted_streaming" || terminal_reason === "aborted_tools") {
    return interrupted;
  }
  const cause = stop_reason === "refusal" ? "refusal" : (terminal_reason ?? "error");
  return {
    subtype: is_error && subtype === "success" ? cause : subtype,
    isError: is_error,
    isStopped: false,
    text: result,
    structuredOutput: message.structured_output,
  };
}

/** An API error was reported by the message that came with it; other failures are reported here. */
function failureFrom(result: Result, verdict: TurnVerdict): EventDraft | undefined {
  const { errors = [] } = result;
  if (!verdict.isError || errors.length === 0) return undefined;
  const data = { code: result.subtype, message: errors.join("\n"), retryable: false };
  return draft("error", data);
}
