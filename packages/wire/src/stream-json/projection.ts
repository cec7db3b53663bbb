import {
  type Block,
  fold,
  type SessionEvent,
  type SessionEventOf,
  type SessionState,
  type ToolBlock,
} from "@turnwire/protocol";
import type { Frame } from "../dialect.ts";
import { compactFrame, initFrame, promptFrame, statusFrame } from "./conversation.ts";
import { cancelFrame, requestFrame } from "./request.ts";
import { lostResultFrame, resultFrame } from "./result.ts";
import {
  contentIndex,
  isBegun,
  isInputStreamed,
  isSpeech,
  isSpeechOf,
  openSpeech,
  placeOf,
  speechFrame,
  type Place,
  type Speech,
} from "./speech.ts";
import { StreamEvents } from "./stream-events.ts";
import { taskFrames } from "./task.ts";
import { toolResultFrame, toolUseFrame, toolUseOf } from "./tool.ts";

export function framesFrom(before: SessionState, event: SessionEvent): readonly Frame[] {
  const frames = ownFrames(before, event);
  const turnId = turnFoundLate(before, event);
  return turnId === undefined ? frames : [...frames, lostResultFrame(before, turnId)];
}

/** The turn that had said nothing when it ended, and so got no result, until this event came late. */
function turnFoundLate(before: SessionState, event: SessionEvent): string | undefined {
  const { turn_id: turnId } = event;
  if (turnId === undefined || turnId === before.turn?.turn_id) return undefined;
  if (before.messages.some((message) => message.turn_id === turnId)) return undefined;
  const { messages, turn } = fold(before, event);
  if (turn?.turn_id === turnId) return undefined;
  const hasSpoken = messages.some(
    (message) => message.role === "agent" && message.turn_id === turnId && !message.result,
  );
  return hasSpoken ? turnId : undefined;
}

/** Events that this wire has no message for give no frame. */
function ownFrames(before: SessionState, event: SessionEvent): readonly Frame[] {
  switch (event.type) {
    case "turn_started":
      return turnFrames(before, event);
    case "user_message":
      return event.data.delivery === "steer" ? [promptFrame(before, event.data)] : [];
    case "delta":
      return event.data.text === "" ? [] : speak(before, event, "text");
    case "thinking":
      return think(before, event);
    case "tool_input_delta":
      return prepareTool(before, event);
    case "tool_start":
      return startTool(before, event);
    case "message_complete":
      return completeMessage(before, event);
    case "tool_result":
      return [toolResultFrame(before, event.subagent_id, event.data)];
    case "permission_request":
    case "question_request":
    case "hook_request":
      return [requestFrame(event)];
    case "permission_resolved":
    case "question_resolved":
    case "hook_resolved":
      return [cancelFrame(event.data.correlation_id)];
    case "compacted":
      return [compactFrame(before, event)];
    case "task":
      return taskFrames(before, event);
    case "session_updated":
      return event.data.permission_mode === undefined ? [] : [statusFrame(before, event)];
    case "result":
      return endWithResult(before, event);
    case "done":
      return endTurn(before, event);
    default:
      return [];
  }
}

function turnFrames(before: SessionState, { data }: SessionEventOf<"turn_started">): Frame[] {
  const message = before.queue.find(({ message_id }) => message_id === data.message_id);
  const init = initFrame(before, data.turn_id);
  return message ? [init, promptFrame(before, message)] : [init];
}

/** The pieces of a block as they are written: a new block ends the one before it. */
function speak(
  before: SessionState,
  event: SessionEventOf<"delta"> | SessionEventOf<"thinking">,
  type: Speech["type"],
): Frame[] {
  const { message_id: id, text } = event.data;
  const place = placeOf(before, event);
  const stream = streamOf(before, place, `event/${event.seq}`, id);
  const { last } = place;
  if (last && isContinued(last, id, type) && isKept(before, event, place)) {
    const index = contentIndex(place, id, last);
    if (!place.isSettled) return [stream.speechDelta(index, type, text)];
    // Whoever joined meanwhile has the block as a finished line: it is streamed again, whole.
    const whole = last.text + text;
    return [stream.speechStart(index, type), stream.speechDelta(index, type, whole)];
  }
  const index = contentIndex(place, id);
  return [
    ...beginBlock(before, place, stream, id),
    stream.speechStart(index, type),
    ...(text === "" ? [] : [stream.speechDelta(index, type, text)]),
  ];
}

/** What comes before a new block of a message: its beginning, or the end of what was being said in it. */
function beginBlock(
  before: SessionState,
  place: Place,
  stream: StreamEvents,
  messageId: string,
): Frame[] {
  return isBegun(place, messageId)
    ? closeSpeech(before, place, stream, messageId)
    : [stream.messageStart()];
}

/** What comes late, after the end of its turn, the fold adds to the last block only if no one spoke in between. */
function isKept(
  before: SessionState,
  event: SessionEventOf<"delta"> | SessionEventOf<"thinking">,
  { isSettled, blocks }: Place,
): boolean {
  return !isSettled || placeOf(fold(before, event), event).blocks.length === blocks.length;
}

function isContinued(
  last: Place["blocks"][number],
  id: string,
  type: Speech["type"],
): last is Speech {
  if (last.type !== type || !isSpeechOf(id)(last)) return false;
  return last.type === "text" ? last.attachments === undefined : !last.done;
}

function think(before: SessionState, event: SessionEventOf<"thinking">): Frame[] {
  const { message_id: id, text, done = false } = event.data;
  if (!done) return speak(before, event, "thinking");
  const spoken = text === "" ? [] : speak(before, event, "thinking");
  const state = text === "" ? before : fold(before, { ...event, data: { message_id: id, text } });
  const place = placeOf(state, event);
  const stream = streamOf(before, place, `event/${event.seq}/done`, id);
  return [...spoken, ...closeSpeech(state, place, stream, id)];
}

/** The whole block as a line, and the end of its stream. */
function closeSpeech(
  state: SessionState,
  place: Place,
  stream: StreamEvents,
  messageId: string,
): Frame[] {
  const open = openSpeech(place.blocks);
  if (open?.message_id !== messageId) return [];
  const index = contentIndex(place, messageId, open);
  return [speechFrame(state, place.parentId, open), stream.blockStop(index)];
}

function streamOf(
  state: SessionState,
  { parentId }: Place,
  identity: string,
  messageId: string,
): StreamEvents {
  return new StreamEvents(state, { identity, parentId, messageId });
}

/** Without its message an input cannot be streamed: the tool then comes whole when it starts. */
function prepareTool(before: SessionState, event: SessionEventOf<"tool_input_delta">): Frame[] {
  const { message_id, tool_use_id: id, tool: name, partial_json } = event.data;
  const place = placeOf(before, event);
  const known = place.blocks.findLast(isUseOf(id));
  if (known?.status === "preparing" && isInputStreamed(known)) {
    const stream = streamOf(before, place, `event/${event.seq}`, known.message_id);
    return [stream.inputDelta(contentIndex(place, known.message_id, known), partial_json)];
  }
  // A tool that is known and gets no new block has its input already.
  const isNew = !known || placeOf(fold(before, event), event).blocks.length > place.blocks.length;
  if (message_id === undefined || !isNew) return [];
  const stream = streamOf(before, place, `event/${event.seq}`, message_id);
  const index = contentIndex(place, message_id);
  return [
    ...beginBlock(before, place, stream, message_id),
    stream.toolStart(index, { id, name }),
    ...(partial_json === "" ? [] : [stream.inputDelta(index, partial_json)]),
  ];
}

function startTool(before: SessionState, event: SessionEventOf<"tool_start">): Frame[] {
  const place = placeOf(before, event);
  const { tool_use_id: id } = event.data;
  const { name, input } = toolUseOf(event.data);
  const prepared = place.blocks.findLast(isUseOf(id));
  const isStreamed = prepared !== undefined && isInputStreamed(prepared);
  const messageId = isStreamed ? prepared.message_id : event.data.message_id;
  const stream = streamOf(before, place, `event/${event.seq}`, messageId);
  const index = contentIndex(place, messageId, isStreamed ? prepared : undefined);
  const line = toolUseFrame(before, { messageId, parentId: place.parentId, id, name, input });
  if (isStreamed) return [line, stream.blockStop(index)];
  return [
    ...beginBlock(before, place, stream, messageId),
    stream.toolStart(index, { id, name }),
    stream.inputDelta(index, JSON.stringify(input)),
    line,
    stream.blockStop(index),
  ];
}

function isUseOf(id: string): (block: Block) => block is ToolBlock {
  return (block): block is ToolBlock => block.type === "tool" && block.tool_use_id === id;
}

/** What the deltas did not deliver is what the fold adds for this event. */
function completeMessage(before: SessionState, event: SessionEventOf<"message_complete">): Frame[] {
  const { message_id: id, message, retracted } = event.data;
  const place = placeOf(before, event);
  const stream = streamOf(before, place, `event/${event.seq}`, id);
  const known = new Map(place.blocks.filter(isSpeechOf(id)).map(({ key, text }) => [key, text]));
  const end = isBegun(place, id) ? stream.messageEnd(message.stop_reason ?? null) : [];
  if (retracted === true) return end;
  const open = openSpeech(place.blocks);
  const after = placeOf(fold(before, event), event);
  const lines = after.blocks.filter(isSpeechOf(id)).flatMap((block): Frame[] => {
    const line = speechFrame(before, place.parentId, block);
    if (open && block.key === open.key)
      return [line, stream.blockStop(contentIndex(place, id, open))];
    return known.get(block.key) === block.text ? [] : [line];
  });
  return [...lines, ...end];
}

/** A result's text that no message has said becomes one in the fold. */
function endWithResult(before: SessionState, event: SessionEventOf<"result">): Frame[] {
  const place = placeOf(before, event);
  const known = new Set(place.blocks.map(({ key }) => key));
  const added = placeOf(fold(before, event), event).blocks.filter(isSpeech);
  const lines = added
    .filter(({ key }) => !known.has(key))
    .map((block) => speechFrame(before, place.parentId, block));
  return [...lines, resultFrame(before, event.data)];
}

/** Every turn that a reader has seen ends in one result, also one that was stopped or lost. */
function endTurn(before: SessionState, event: SessionEventOf<"done">): Frame[] {
  const { data } = event;
  const messages = fold(before, event).messages.filter(({ turn_id }) => turn_id === data.turn_id);
  const hasResult = messages.some((message) => message.role === "agent" && message.result);
  return messages.length === 0 || hasResult ? [] : [lostResultFrame(before, data.turn_id)];
}
