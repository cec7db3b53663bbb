import { isDeepStrictEqual } from "node:util";
import { fold, type SessionEvent, type SessionState } from "@turnwire/protocol";
import {
  conversationFrames,
  type Frame,
  framesFrom as linesFrom,
  initFrame,
  isAsked,
  openTaskFrames,
} from "@turnwire/wire";
import {
  failureFrame,
  kitSessionId,
  messageFrame,
  messagesFrame,
  messageText,
  stateFrame,
} from "./frame.ts";
import { settingsOf, usageOf } from "./option.ts";
import { requestFrame, resolvedFrame } from "./request.ts";

export interface KitVariant {
  readonly hasPartialMessages: boolean;
}

/** The messages of an event, among what it changes of the session. */
export function framesFrom(
  before: SessionState,
  event: SessionEvent,
  variant: KitVariant,
): readonly Frame[] {
  const id = kitSessionId(before.session);
  const messages = linesFrom(before, event)
    .filter(isShown(variant))
    .map((line) => messageFrame(id, messageText(line, id, event.ts)));
  switch (event.type) {
    case "session_ready": {
      const state = fold(before, event);
      return [stateFrame(kitSessionId(state.session), stateOf(state))];
    }
    case "turn_started": {
      // The kit shows a message before the agent begins with it, and the agent's id with `init`.
      const [init, ...prompt] = messages;
      const begun = [...prompt, stateFrame(id, { isBusy: true })];
      return init && id !== null ? [...begun, init] : begun;
    }
    case "done":
      return [...messages, stateFrame(id, { isBusy: false })];
    case "error":
      return isOfTurn(event) ? [...messages, failureFrame(id, event.data)] : messages;
    case "session_updated":
      return updateFrames(before, event, variant);
    case "usage":
      return [stateFrame(id, { usage: usageOf(fold(before, event)) })];
    case "permission_request":
    case "question_request":
    case "hook_request":
      return [requestFrame(id, event)];
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
      return [resolvedFrame(id, event)];
    case "rolled_back": {
      const state = fold(before, event);
      return [messagesFrame(id, messagesOf(state))];
    }
    default:
      return messages;
  }
}

/** The session as it is, the messages so far, then what is open. */
export function openingFrames(state: SessionState, variant: KitVariant): readonly Frame[] {
  const id = kitSessionId(state.session);
  const now = state.turn?.started_at ?? "";
  const streamed = conversationFrames(state)
    .flatMap(({ frames }) => frames)
    .filter(({ name }) => name === "stream_event");
  return [
    stateFrame(id, stateOf(state)),
    messagesFrame(id, messagesOf(state)),
    ...streamed
      .filter(isShown(variant))
      .map((line) => messageFrame(id, messageText(line, id, now))),
    ...Object.values(state.requests)
      .filter(isAsked)
      .map((request) => requestFrame(id, request)),
  ];
}

/** The settings, as an answer to whoever changed them, or because the agent reports new ones. */
function updateFrames(
  before: SessionState,
  event: SessionEvent & { readonly type: "session_updated" },
  variant: KitVariant,
): readonly Frame[] {
  const after = fold(before, event);
  const id = kitSessionId(after.session);
  const hasNewSettings =
    event.data.by !== undefined || !isDeepStrictEqual(settingsOf(before), settingsOf(after));
  const { turn } = before;
  const isNamed = kitSessionId(before.session) === null && id !== null;
  const lines = [
    ...(isNamed && turn ? [initFrame(after, turn.turn_id)] : []),
    ...linesFrom(before, event).filter(isShown(variant)),
  ];
  return [
    ...lines.map((line) => messageFrame(id, messageText(line, id, event.ts))),
    ...(hasNewSettings ? [stateFrame(id, settingsOf(after))] : []),
  ];
}

function isOfTurn({ turn_id, subagent_id }: SessionEvent): boolean {
  return turn_id !== undefined && subagent_id === undefined;
}

function stateOf(state: SessionState): object {
  return { isBusy: state.turn !== null, ...settingsOf(state), usage: usageOf(state) };
}

/** The messages so far, none of them earlier than the one before. */
function messagesOf(state: SessionState): string[] {
  const id = kitSessionId(state.session);
  const [first] = state.messages;
  let latest = first?.ts ?? "";
  const at = (ts: string): string => {
    if (ts > latest) latest = ts;
    return latest;
  };
  const isMessage = isShown({ hasPartialMessages: false });
  const { last_turn_id: turnId } = state;
  const init = turnId === null || id === null ? [] : [initFrame(state, turnId)];
  return [
    ...init.map((line) => messageText(line, id, latest)),
    ...conversationFrames(state).flatMap(({ message, frames }) =>
      frames.filter(isMessage).map((line) => {
        const isEnd = line.name === "result" && message.role === "agent";
        const { ts } = message;
        return messageText(line, id, at((isEnd ? message.ended_at : undefined) ?? ts));
      }),
    ),
    ...openTaskFrames(state).map((line) => messageText(line, id, latest)),
  ];
}

/** Requests have frames of their own here. */
function isShown({ hasPartialMessages }: KitVariant): (line: Frame) => boolean {
  return ({ name }) => {
    if (name === "stream_event") return hasPartialMessages;
    return name !== "control_request" && name !== "control_cancel_request";
  };
}
