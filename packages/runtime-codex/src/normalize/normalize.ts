import { draft } from "@turnwire/protocol";
import { type Normalizer, andThen, forEach, withEntry, withoutEntry } from "@turnwire/runtime";
import { type CodexMessage, codexMessageFrom } from "../protocol/message.ts";
import { takeError } from "./failure.ts";
import { takeItem } from "./item.ts";
import { nativeEvent } from "./native.ts";
import { takeRateLimits } from "./rate-limit.ts";
import { planEvent, remarksOn, takeDiff } from "./remark.ts";
import { answerAsk, ask, settleAsk } from "./request.ts";
import { closeSpeech, takeDelta, takeSummaryPart, takeThought } from "./speech.ts";
import { type CodexState, initialState, isRoot, placeOf, type Step } from "./state.ts";
import { closeTools, takeDecision, takeOutput } from "./tool.ts";
import { beginTurn, endTurn, sendTurn } from "./turn.ts";
import { takeUsage } from "./usage.ts";

export type { CodexState } from "./state.ts";

/** Translates what an app-server says of one thread and its sub-agents; what is unknown becomes `native`. */
export const codexNormalizer: Normalizer<unknown, CodexState> = {
  initial: () => initialState,
  step(state, native) {
    const message = codexMessageFrom(native);
    if (!message) return [state, [nativeEvent(native)]];
    return andThen(place(state, message), hearEarly);
  },
  end: (state) => close(state, "The agent was gone before the tool ended.")[1],
};

/** A sub-agent may speak before its spawn has named it: that waits. */
function place(state: CodexState, message: CodexMessage): Step {
  const threadId = threadOf(message);
  const isKnown =
    threadId === undefined || isRoot(state, threadId) || state.subagents.has(threadId);
  if (isKnown) return translate(state, message);
  const early = [...(state.early.get(threadId) ?? []), message];
  return [{ ...state, early: withEntry(state.early, threadId, early) }, []];
}

function hearEarly(state: CodexState): Step {
  const named = [...state.early].find(([threadId]) => state.subagents.has(threadId));
  if (!named) return [state, []];
  const [threadId, messages] = named;
  const next = { ...state, early: withoutEntry(state.early, threadId) };
  return andThen(forEach(next, messages, translate), hearEarly);
}

function translate(state: CodexState, message: CodexMessage): Step {
  switch (message.method) {
    case "item/started":
    case "item/completed":
      return takeItem(state, message);
    case "item/agentMessage/delta":
      return takeDelta(state, message);
    case "item/reasoning/textDelta":
    case "item/reasoning/summaryTextDelta":
      return takeThought(state, message);
    case "item/reasoning/summaryPartAdded":
      return takeSummaryPart(state, message);
    case "item/commandExecution/outputDelta":
      return takeOutput(state, message.params.itemId, message.params.delta);
    case "item/mcpToolCall/progress":
      return takeOutput(state, message.params.itemId, `${message.params.message}\n`);
    case "turn/started":
      return beginTurn(state, message);
    case "turn/completed":
      return endTurn(state, message);
    case "turn/diff/updated":
      return takeDiff(state, message);
    case "turn/plan/updated":
      return [state, [planEvent(state, message)]];
    case "thread/tokenUsage/updated":
      return takeUsage(state, message);
    case "account/rateLimits/updated":
      return takeRateLimits(state, message);
    case "error":
      return takeError(state, message);
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
    case "item/permissions/requestApproval":
    case "item/tool/requestUserInput":
    case "item/tool/call":
    case "turnwire/tool_approval":
    case "turnwire/interrupt_ask":
    case "mcpServer/elicitation/request":
      return ask(state, message);
    case "serverRequest/resolved":
      return settleAsk(state, message);
    case "turnwire/thread":
      return takeThread(state, message.params);
    case "turnwire/turn_sent":
      return [sendTurn(state, message.params), []];
    case "turnwire/interrupt_sent":
      return [{ ...state, openRequests: new Map() }, []];
    case "turnwire/answer_sent":
      return [answerAsk(state, message.params.correlation_id), []];
    case "turnwire/policy_decision":
      return takeDecision(state, message.params);
    case "turnwire/ui": {
      const { event, ...itemPlace } = message.params;
      return [state, [{ ...event, ...placeOf(state, itemPlace) }]];
    }
    case "turnwire/restarted":
      return restart(state, message.params.message);
    case "turnwire/permission_mode":
      return [state, [draft("session_updated", { permission_mode: message.params.mode })]];
    case "turnwire/account":
    case "turnwire/run_info":
      return [state, [draft("session_updated", message.params)]];
    case "warning":
    case "guardianWarning":
    case "configWarning":
    case "model/rerouted":
    case "mcpServer/startupStatus/updated":
    case "thread/name/updated":
      return [state, remarksOn(state, message)];
    default:
      return [state, []];
  }
}

function takeThread(
  state: CodexState,
  thread: { thread_id: string; model?: string | undefined },
): Step {
  const { thread_id: threadId, model } = thread;
  const isNew = model !== undefined && model !== state.model;
  const isThreadReported = state.isThreadReported && state.threadId === threadId;
  const next = { ...state, threadId, model: model ?? state.model, isThreadReported };
  return [next, isNew ? [draft("session_updated", { model })] : []];
}

/** Another process has the thread now: the turn and all that was open went with the old one. */
function restart(state: CodexState, why: string): Step {
  const { turn } = state;
  return andThen(close(state, "The agent was restarted before the tool ended."), (next) => {
    const fresh = { ...next, turn: undefined, unasked: undefined, openRequests: new Map() };
    if (!turn) return [fresh, []];
    const failure = { code: "agent_exited", message: why, retryable: true };
    const result = { turn_id: turn.id, subtype: failure.code, is_error: true };
    return [
      fresh,
      [draft("error", failure), draft("result", result), draft("done", { turn_id: turn.id })],
    ];
  });
}

/** Nothing more will come: what is open is closed. The session ends turns and requests itself. */
function close(state: CodexState, why: string): Step {
  const silent = andThen(closeSpeech(state), (next) => closeTools(next, why));
  return andThen(silent, (next) => [
    { ...next, early: new Map() },
    [...next.early.values()].flat().map(nativeEvent),
  ]);
}

function threadOf({ params }: CodexMessage): string | undefined {
  return "threadId" in params && typeof params.threadId === "string" ? params.threadId : undefined;
}
