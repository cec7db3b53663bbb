import {
  Command,
  type Control,
  type JsonObject,
  type JsonValue,
  rejected,
  type Result,
  validate,
} from "@turnwire/protocol";
import { answersFrom } from "./answer.ts";

/** What a client can say, with the fields that it must not leave out; the last one is ours. */
const requiredFields = {
  user_message: ["content"],
  interrupt: [],
  permission_response: ["correlation_id", "behavior"],
  question_response: ["correlation_id", "answers"],
  set_permission_mode: ["mode"],
  set_model: [],
  stop_task: ["task_id"],
  hook_response: ["correlation_id", "decision"],
} as const satisfies Partial<Record<Command["type"], readonly string[]>>;

type InboundType = keyof typeof requiredFields;

/** The refusals say what agent-webkit's own server says, where that has words for them. */
export function commandFrom(input: unknown, control: Control): Result<Command> {
  if (!isObject(input)) return rejected("invalid_request", "The body must be a JSON object.");
  const { type } = input;
  if (!isInboundType(type)) {
    return rejected("invalid_request", `Unknown message type: ${shown(type)}`);
  }
  const given = withoutNulls(input);
  const missing = requiredFields[type].find((field) => given[field] === undefined);
  if (missing !== undefined) return rejected("invalid_request", `Missing field: ${missing}`);
  if (type === "user_message" && isBlank(given["content"])) {
    return rejected("invalid_request", "content must not be blank");
  }
  return validate(Command, completed(type, given, control));
}

/** Models refuse a message without a visible character. */
function isBlank(content: JsonValue | undefined): boolean {
  if (typeof content === "string") return content.trim() === "";
  return Array.isArray(content) && content.length > 0 && content.every(isBlankText);
}

function isBlankText(block: JsonValue): boolean {
  return isObject(block) && typeof block["text"] === "string" && block["text"].trim() === "";
}

function completed(type: InboundType, given: JsonObject, control: Control): unknown {
  switch (type) {
    case "set_model":
      return { model: null, ...given };
    case "question_response":
      return { ...given, answers: answersFrom(given, control) };
    case "user_message":
    case "interrupt":
    case "permission_response":
    case "set_permission_mode":
    case "stop_task":
    case "hook_response":
      return given;
  }
}

function isObject(input: unknown): input is JsonObject {
  return typeof input === "object" && input !== null && !Array.isArray(input);
}

function isInboundType(type: unknown): type is InboundType {
  return typeof type === "string" && Object.hasOwn(requiredFields, type);
}

/** Clients in other languages write null for what they leave out. */
function withoutNulls(input: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));
}

/** The reference server is a Python program: what is not there is None. */
function shown(type: unknown): string {
  if (type === undefined || type === null) return "None";
  return (typeof type === "string" ? type : JSON.stringify(type)).slice(0, 100);
}
