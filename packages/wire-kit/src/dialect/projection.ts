import { fold, type SessionEvent, type SessionState } from "@turnwire/protocol";
import {
  type Frame,
  openingFrames as openingLines,
  framesFrom as linesFrom,
  isAsked,
} from "@turnwire/wire";
import { messageFrame, messagesFrame, stateFrame } from "./frame.ts";
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
  const { session_id: id } = before.session;
  const messages = linesFrom(before, event)
    .filter(isShown(variant))
    .map((line) => messageFrame(id, asMessage(line)));
  switch (event.type) {
    case "session_ready":
      return [stateFrame(event.data.session_id, stateOf(fold(before, event)))];
    case "turn_started": {
      // The kit shows a message before the agent begins with it.
      const [init, ...prompt] = messages;
      return [...prompt, stateFrame(id, { isBusy: true }), ...(init ? [init] : [])];
    }
    case "done":
      return [...messages, stateFrame(id, { isBusy: false })];
    case "session_updated":
      return [...messages, stateFrame(id, settingsOf(fold(before, event)))];
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
  const { session_id: id } = state.session;
  const streamed = openingLines(state).filter(({ name }) => name === "stream_event");
  return [
    stateFrame(id, stateOf(state)),
    messagesFrame(id, messagesOf(state)),
    ...streamed.filter(isShown(variant)).map(({ data }) => messageFrame(id, data)),
    ...Object.values(state.requests)
      .filter(isAsked)
      .map((request) => requestFrame(id, request)),
  ];
}

function stateOf(state: SessionState): object {
  return { isBusy: state.turn !== null, ...settingsOf(state), usage: usageOf(state) };
}

function messagesOf(state: SessionState): string[] {
  return openingLines(state)
    .filter(isShown({ hasPartialMessages: false }))
    .map(asMessage);
}

/** Requests have frames of their own here. */
function isShown({ hasPartialMessages }: KitVariant): (line: Frame) => boolean {
  return ({ name }) => {
    if (name === "stream_event") return hasPartialMessages;
    return name !== "control_request" && name !== "control_cancel_request";
  };
}

/** This wire has no replayed messages. */
function asMessage({ name, data }: Frame): string {
  if (name !== "user" || !data.includes('"isReplay":true')) return data;
  const { isReplay: _replayed, ...message } = JSON.parse(data) as { isReplay?: boolean };
  return JSON.stringify(message);
}
