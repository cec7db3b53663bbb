import { draft, type EventDraft, JsonValue } from "@turnwire/protocol";
import { andThen, withEntry } from "@turnwire/runtime";
import type { CodexMessageOf } from "../protocol/message.ts";
import { errorFrom } from "./failure.ts";
import { closeSpeech } from "./speech.ts";
import { type CodexState, isRoot, type RunningTurn, type Step } from "./state.ts";
import { completeAgent } from "./subagent.ts";
import { leaveTools, stopTools } from "./tool.ts";
import { closeUsage, turnUsage, usageEvent } from "./usage.ts";

type Ended = CodexMessageOf<"turn/completed">;

/** A turn is handed to Codex. */
export function sendTurn(
  state: CodexState,
  { turn_id, has_schema = false }: CodexMessageOf<"turnwire/turn_sent">["params"],
): CodexState {
  return { ...state, turn: { ...newTurn(turn_id, undefined), hasSchema: has_schema } };
}

/** Codex begins with a turn: with ours, or with one that was not sent. */
export function beginTurn(state: CodexState, { params }: CodexMessageOf<"turn/started">): Step {
  const { threadId } = params;
  const id = idOf(params.turn);
  if (!isRoot(state, threadId)) return [state, []];
  // Before its first turn a thread is nowhere on disk and could not be resumed.
  const reported: EventDraft[] = state.isThreadReported
    ? []
    : [draft("session_updated", { provider_session_id: threadId })];
  const next = { ...state, isThreadReported: true };
  if (!next.turn || next.turn.nativeId !== undefined) return [{ ...next, unasked: id }, reported];
  const turn = { ...next.turn, nativeId: id };
  return [{ ...next, turn, turnIds: withEntry(next.turnIds, id, turn.id) }, reported];
}

/** A turn that was not sent and that is more than a compaction: Codex went to work by itself. */
export function admitTurn(state: CodexState, nativeId: string): Step {
  if (state.turn || state.unasked !== nativeId) return [state, []];
  const next = {
    ...state,
    unasked: undefined,
    turn: newTurn(nativeId, nativeId),
    turnIds: withEntry(state.turnIds, nativeId, nativeId),
  };
  return [next, [draft("turn_started", { turn_id: nativeId }, { turn_id: nativeId })]];
}

/** Codex is done with a turn, or a sub-agent with its own. */
export function endTurn(state: CodexState, message: Ended): Step {
  const { threadId, turn: ended } = message.params;
  if (!isRoot(state, threadId)) return completeAgent(state, message);
  const id = idOf(ended);
  if (state.unasked === id) {
    return [closeUsage({ ...state, unasked: undefined }), [usageEvent(state)]];
  }
  const { turn } = state;
  if (!turn || (turn.nativeId !== undefined && turn.nativeId !== id)) return [state, []];
  return andThen(closeTurn(state, message), (next) => [
    closeUsage({ ...next, turn: undefined, started: new Set(), openRequests: new Map() }),
    endEvents(next, turn, message),
  ]);
}

/** What a turn leaves open is closed with it. */
function closeTurn(state: CodexState, { params }: Ended): Step {
  const { threadId } = params;
  return andThen(closeSpeech(state, threadId), (next) => {
    switch (params.turn.status) {
      case "completed":
        return leaveTools(next, threadId);
      case "interrupted":
        return stopTools(next, threadId, "Interrupted.");
      default:
        return stopTools(next, threadId, "The turn failed before the tool ended.");
    }
  });
}

function endEvents(state: CodexState, turn: RunningTurn, { params }: Ended): EventDraft[] {
  const { status, error, durationMs, items = [] } = params.turn;
  const isStopped = status === "interrupted";
  const failure = status === "completed" || isStopped ? undefined : failureFrom(error);
  const said = items.findLast(({ type }) => type === "agentMessage")?.["text"];
  const result = draft("result", {
    turn_id: turn.id,
    subtype: isStopped ? "interrupted" : (failure?.code ?? "success"),
    is_error: failure !== undefined,
    ...(typeof said === "string" && said !== "" && { text: said }),
    ...(turn.hasSchema && typeof said === "string" && structuredFrom(said)),
    usage: turnUsage(state),
    ...(typeof durationMs === "number" && { duration_ms: durationMs }),
  });
  return [
    ...(failure && !turn.isErrorReported ? [draft("error", failure)] : []),
    result,
    usageEvent(state),
    draft("done", { turn_id: turn.id, ...(isStopped && { stopped: true }) }),
  ];
}

/** Only what is whole has the form: of an answer that broke off nothing is left. */
function structuredFrom(text: string): { structured_output?: JsonValue } {
  try {
    return { structured_output: JsonValue.parse(JSON.parse(text)) };
  } catch {
    return {};
  }
}

function failureFrom(error: Ended["params"]["turn"]["error"]) {
  return errorFrom(error ?? { message: "The turn failed." });
}

function idOf({ id, rootTurnId }: Ended["params"]["turn"]): string {
  return rootTurnId ?? id;
}

function newTurn(id: string, nativeId: string | undefined): RunningTurn {
  return { id, nativeId, diff: "", isErrorReported: false, hasSchema: false };
}
