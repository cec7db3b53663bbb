import { draft } from "@turnwire/protocol";
import type { Normalizer } from "@turnwire/runtime";
import { type ClaudeMessage, claudeMessageFrom, type ClaudeMessageOf } from "./message.ts";
import { takeUiEvent } from "./component.ts";
import { takeAssistant, takeStream, takeUser } from "./conversation.ts";
import { nativeEvent } from "./native.ts";
import { rateLimitsFrom } from "./rate-limit.ts";
import { remarksOn } from "./remark.ts";
import {
  ask,
  askElicitation,
  askForCall,
  askHook,
  askInComponent,
  takeDecision,
  withdrawAsk,
} from "./request.ts";
import { completeMessage } from "./speech.ts";
import {
  andThen,
  type ClaudeState,
  forEach,
  initialState,
  type Step,
  withMember,
} from "./state.ts";
import {
  takeRunInfo,
  takeCommands,
  takeInit,
  takeServers,
  takeSession,
  takeStatus,
} from "./status.ts";
import { endTask, reportTask, startTask, stopTasks, updateTask } from "./task.ts";
import { closeTools } from "./tool.ts";
import { changeActivity, followInput, startTurn, stopTurn, takeResult } from "./turn.ts";

export type { ClaudeState } from "./state.ts";

/** Translates what the Claude Agent SDK and our run say; what is unknown becomes `native`. */
export const claudeNormalizer: Normalizer<unknown, ClaudeState> = {
  initial: () => initialState,
  step(state, native) {
    const message = claudeMessageFrom(native);
    return message ? translate(state, message) : [state, [nativeEvent(native)]];
  },
  end: (state) => close(state)[1],
};

function translate(state: ClaudeState, message: ClaudeMessage): Step {
  switch (message.type) {
    case "assistant":
      return takeAssistant(state, message);
    case "user":
      return takeUser(state, message);
    case "stream_event":
      return takeStream(state, message);
    case "result":
      return takeResult(state, message);
    case "turnwire/line":
      return takeLine(state, message);
    case "turnwire/restored":
      return [message.state, []];
    case "turnwire/turn_sent":
      return [startTurn(state, message.turn_id, message.uuid), []];
    case "turnwire/steer_sent":
      return [{ ...state, pending: withMember(state.pending, message.uuid) }, []];
    case "turnwire/interrupt_sent":
      return [stopTurn(state), []];
    case "command_lifecycle":
      return [followInput(state, message), []];
    case "system/session_state_changed":
      return changeActivity(state, message.state);
    case "turnwire/ask":
      return ask(state, message);
    case "turnwire/policy_decision":
      return takeDecision(state, message);
    case "turnwire/hook_ask":
      return askHook(state, message);
    case "turnwire/elicitation_ask":
      return askElicitation(state, message);
    case "turnwire/interrupt_ask":
      return askInComponent(state, message);
    case "turnwire/call_ask":
      return askForCall(state, message);
    case "turnwire/ui":
      return takeUiEvent(state, message);
    case "turnwire/ask_cancelled":
      return withdrawAsk(state, message.request_id);
    case "system/task_started":
      return startTask(state, message);
    case "system/task_progress":
      return reportTask(state, message);
    case "system/task_updated":
      return updateTask(state, message);
    case "system/task_notification":
      return endTask(state, message);
    case "system/init":
      return takeInit(state, message);
    case "system/status":
      return takeStatus(state, message);
    case "system/commands_changed":
      return takeCommands(state, message);
    case "rate_limit_event":
      return [state, [rateLimitsFrom(message)]];
    case "turnwire/context_usage":
      return [state, [draft("context_usage", message.usage)]];
    case "turnwire/mcp_servers":
      return takeServers(state, message);
    case "turnwire/run_info":
      return takeRunInfo(state, message);
    case "turnwire/title":
      return [state, [draft("session_updated", { title: message.title })]];
    case "turnwire/session_moved":
      return andThen(takeSession(state, message.provider_session_id), (next) =>
        stopTasks(next, "The agent was restarted."),
      );
    default:
      return [state, remarksOn(state, message)];
  }
}

/** A line is kept as it is, before what it means. */
function takeLine(state: ClaudeState, said: ClaudeMessageOf<"turnwire/line">): Step {
  const { line, direction, message } = said;
  const kept = draft("native_line", { line, direction });
  if (message === undefined) return [state, [kept]];
  return andThen([state, [kept]], (next) => claudeNormalizer.step(next, message));
}

/** Nothing more will come: what is open is closed. The session ends turns and requests itself. */
function close(state: ClaudeState): Step {
  const why = "The agent was gone before the tool ended.";
  const silent = andThen(closeTools(state, why), (next) =>
    forEach(next, next.messages.keys(), completeMessage),
  );
  return andThen(silent, (next) => stopTasks(next, "The agent is gone."));
}
