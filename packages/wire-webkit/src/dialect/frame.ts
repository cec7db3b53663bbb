import type { EventData, JsonObject, SessionEvent, SessionEventOf } from "@turnwire/protocol";
import type { StoredEvent, Frame } from "@turnwire/wire";

/** A frame before it is text. */
interface Projection {
  readonly name: string;
  readonly data: object;
}

/**
 * Promise: the last frame of an event carries its position, so that ids count on without a gap.
 * Events that agent-webkit has no word for keep their own, which its clients ignore; only `done`
 * and `error` may not, because there they end the session and mark it as failed.
 */
export function framesFrom(stored: StoredEvent, sessionId: string): readonly Frame[] {
  const event = parse(stored);
  const frame = written(event, projectionOf(event, sessionId));
  const message = messageOfTool(event);
  return message ? [written(event, message), frame] : [frame];
}

/**
 * Hooks show the uses of tools only as blocks of messages. Where an agent has no message around a
 * use, the event gives both the same id, and the use gets a message of its own.
 */
function messageOfTool(event: SessionEvent): Projection | undefined {
  if (event.type !== "tool_start") return undefined;
  const { message_id, tool_use_id: id, tool: name, input = {} } = event.data;
  if (message_id !== id) return undefined;
  const content = [{ type: "tool_use", id, name, input }];
  const message = { role: "assistant" as const, content, stop_reason: "tool_use" };
  return { name: "message_complete", data: completed({ message_id, message }) };
}

/** A piece of a tool's input as part of its message; undefined for anything else. */
export function partialInputFrom(stored: StoredEvent): Frame | undefined {
  if (stored.type !== "tool_input_delta") return undefined;
  const event = parse(stored);
  if (event.type !== "tool_input_delta" || event.data.message_id === undefined) return undefined;
  const { message_id, tool_use_id, tool: name, partial_json } = event.data;
  const delta = { type: "input_json_delta", tool_use_id, name, partial_json };
  return written(event, { name: "message_delta", data: { message_id, delta } });
}

/** The log's own text: it was a SessionEvent when it was written. */
function parse(stored: StoredEvent): SessionEvent {
  return JSON.parse(stored.json) as SessionEvent;
}

function written({ subagent_id }: SessionEvent, { name, data }: Projection): Frame {
  const facts = subagent_id === undefined ? data : { ...data, subagent_id };
  return { name, data: onOneLine(JSON.stringify(facts)) };
}

/** Line ends to many a client that is not written in JavaScript; agent-webkit's own server escapes them too. */
const FOREIGN_LINE_ENDS = /[\u0085\u2028\u2029]/g;

function onOneLine(json: string): string {
  return json.replaceAll(
    FOREIGN_LINE_ENDS,
    (end) => `\\u${end.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

function projectionOf(event: SessionEvent, sessionId: string): Projection {
  switch (event.type) {
    case "session_ready": {
      const { session_id, protocol_version } = event.data;
      return { name: "session_ready", data: { session_id, protocol_version } };
    }
    case "user_message":
      return { name: "user_message", data: spoken(event.data) };
    case "delta": {
      const { message_id, text } = event.data;
      return { name: "message_delta", data: { message_id, delta: { type: "text", text } } };
    }
    case "message_complete":
      return { name: "message_complete", data: completed(event.data) };
    case "tool_start": {
      const { message_id, tool_use_id, tool, input = {} } = event.data;
      return { name: "tool_use", data: { message_id, tool_use_id, tool_name: tool, input } };
    }
    case "tool_result": {
      const { tool_use_id, output, is_error } = event.data;
      return { name: "tool_result", data: { tool_use_id, output, is_error } };
    }
    case "permission_request":
      return { name: "permission_request", data: permissionAsked(event.data) };
    case "question_request":
      return { name: "ask_user_question", data: questionAsked(event.data) };
    case "hook_request": {
      const { correlation_id, hook_event, hook_input } = event.data;
      return { name: "hook_decision_request", data: { correlation_id, hook_event, hook_input } };
    }
    case "result":
      return { name: "result", data: { session_id: sessionId, ...event.data } };
    case "error":
      return failure(event);
    case "mcp_status":
      return { name: "mcp_status_change", data: event.data };
    case "done":
      return { name: "turn_done", data: event.data };
    case "session_closed":
      return { name: "done", data: {} };
    default:
      return { name: event.type, data: event.data };
  }
}

/** Words alone are a plain text, as a person sent them: later hooks know their own message by it. */
function spoken({ content, ...rest }: EventData<"user_message">): object {
  const [first, ...more] = content;
  const isPlain = first?.type === "text" && more.length === 0;
  return { ...rest, content: isPlain ? first.text : content };
}

function completed({ message_id, message }: EventData<"message_complete">): object {
  const { role, content, model, stop_reason = null } = message;
  return {
    message_id,
    message: { id: message_id, role, content: content.map(typed), model, stop_reason },
  };
}

/** Hooks choose how to show a block by its type, so that none may lack one. */
function typed(block: JsonObject): JsonObject {
  if (typeof block["type"] === "string") return block;
  return { ...block, type: typeof block["text"] === "string" ? "text" : "native" };
}

function permissionAsked(request: EventData<"permission_request">): object {
  const { correlation_id, tool_name, tool_input: input, context = {} } = request;
  const { tool_use_id = null, suggestions = [] } = request;
  return { correlation_id, tool_name, input, context: { ...context, tool_use_id, suggestions } };
}

/** The whole input of Claude's question tool, so that `questions` stands inside `questions`. */
function questionAsked({ correlation_id, questions }: EventData<"question_request">): object {
  const items = questions.map(({ multi_select: multiSelect = false, options, ...question }) => ({
    ...question,
    multiSelect,
    options,
  }));
  return { correlation_id, questions: { questions: items } };
}

/** A failure of a turn makes the hook show an error; the result, if there is one, makes it idle again. */
function failure({ data, turn_id, subagent_id }: SessionEventOf<"error">): Projection {
  const { code, message, retryable } = data;
  if (turn_id !== undefined && subagent_id === undefined) {
    return { name: "error", data: { code, message } };
  }
  return { name: "notice", data: { level: "error", text: message, code, retryable } };
}
