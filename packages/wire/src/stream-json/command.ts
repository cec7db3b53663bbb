import { isDeepStrictEqual } from "node:util";
import { isObject } from "@turnwire/base";
import {
  Command,
  type Control,
  type OpenRequest,
  rejected,
  requestOf,
  type Result,
  validate,
} from "@turnwire/protocol";
import * as z from "zod";

const UserLine = z.object({
  type: z.literal("user"),
  uuid: z.string().optional(),
  message: z.object({ role: z.literal("user"), content: z.unknown() }),
});

const ControlRequestLine = z.object({
  type: z.literal("control_request"),
  request: z.object({
    subtype: z.string(),
    model: z.unknown().optional(),
    mode: z.unknown().optional(),
    task_id: z.unknown().optional(),
  }),
});

const PermissionAnswer = z.object({
  behavior: z.enum(["allow", "deny"]),
  updatedInput: z.json().optional(),
  updatedPermissions: z.json().optional(),
  message: z.string().optional(),
  interrupt: z.boolean().optional(),
});

/** As the CLI takes it. */
const NestedResponse = z.object({
  response: z.object({
    subtype: z.string().optional(),
    request_id: z.string(),
    response: z.json().optional(),
    error: z.string().optional(),
  }),
});

/** As front ends of agents-ui send it. */
const FlatResponse = z.object({
  request_id: z.string(),
  permission: z.object({ allow: z.boolean(), message: z.string().optional() }),
  /** Answers to a question, by its text. */
  input: z.json().optional(),
  updated_input: z.json().optional(),
});

/** What a front end or an SDK writes to the CLI, as one of our commands. */
export function commandFrom(input: unknown, control: Control): Result<Command> {
  if (!isObject(input)) return rejected("invalid_request", "A line must be a JSON object.");
  switch (input["type"]) {
    case "user":
      return userCommand(input);
    case "control_request":
      return controlCommand(input);
    case "control_response":
      return responseCommand(input, control);
    default:
      return rejected("invalid_request", "type must be user, control_request or control_response.");
  }
}

function userCommand(input: unknown): Result<Command> {
  const line = validate(UserLine, input);
  if (!line.ok) return line;
  const { uuid, message } = line.value;
  const { content } = message;
  return validate(Command, {
    type: "user_message",
    content: contentFrom(content),
    ...(uuid !== undefined && { client_message_id: uuid }),
  });
}

const PlainDocument = z.looseObject({
  type: z.literal("document"),
  source: z.object({
    type: z.literal("text"),
    media_type: z.literal("text/plain"),
    data: z.string(),
  }),
});

function contentFrom(content: unknown): unknown {
  if (typeof content === "string") return [{ type: "text", text: content }];
  return Array.isArray(content) ? content.map(encoded) : content;
}

/** Plain text comes as it is, or in base64 as with us. */
function encoded(block: unknown): unknown {
  const plain = PlainDocument.safeParse(block);
  if (!plain.success) return block;
  const { media_type, data } = plain.data.source;
  const source = { type: "base64", media_type, data: Buffer.from(data).toString("base64") };
  return { ...plain.data, source };
}

/** `initialize` and the like concern a connection, not the session: its transport answers them. */
function controlCommand(input: unknown): Result<Command> {
  const line = validate(ControlRequestLine, input);
  if (!line.ok) return line;
  const { subtype, model, mode, task_id } = line.value.request;
  switch (subtype) {
    case "interrupt":
      return validate(Command, { type: "interrupt" });
    case "set_model":
      return validate(Command, { type: "set_model", model: model ?? null });
    case "set_permission_mode":
      return validate(Command, { type: "set_permission_mode", mode });
    case "stop_task":
      return validate(Command, { type: "stop_task", task_id });
    default:
      return rejected("invalid_request", `Unsupported control request subtype: ${subtype}`);
  }
}

function responseCommand(input: unknown, control: Control): Result<Command> {
  const flat = FlatResponse.safeParse(input);
  if (flat.success) {
    const { request_id, permission, input: answers, updated_input } = flat.data;
    const { allow, message } = permission;
    const request = requestOf(control, request_id);
    const updatedInput = request?.type === "question_request" ? { answers } : updated_input;
    const answer = {
      behavior: allow ? "allow" : "deny",
      ...(allow && updatedInput !== undefined && { updatedInput }),
      ...(message !== undefined && { message }),
    };
    return answerCommand(request_id, answer, request);
  }
  const nested = validate(NestedResponse, input);
  if (!nested.ok) return nested;
  const { subtype, request_id, response, error } = nested.value.response;
  const request = requestOf(control, request_id);
  if (subtype !== "error") return answerCommand(request_id, response, request);
  // A client that failed to decide has not allowed anything.
  const denied = { behavior: "deny", message: error ?? "The client could not decide." };
  return answerCommand(request_id, request?.type === "hook_request" ? {} : denied, request);
}

function answerCommand(
  correlation_id: string,
  response: unknown,
  request: OpenRequest | undefined,
): Result<Command> {
  if (request?.type === "hook_request") {
    return validate(Command, { type: "hook_response", correlation_id, decision: response ?? {} });
  }
  const answer = validate(PermissionAnswer, response);
  if (!answer.ok) return answer;
  const { behavior, updatedInput, updatedPermissions, message, interrupt } = answer.value;
  if (request?.type === "question_request") {
    const given = behavior === "allow" && isObject(updatedInput) ? updatedInput["answers"] : {};
    return validate(Command, { type: "question_response", correlation_id, answers: given ?? {} });
  }
  return validate(Command, {
    type: "permission_response",
    correlation_id,
    behavior,
    ...(isEdited(updatedInput, request) && { updated_input: updatedInput }),
    ...(updatedPermissions !== undefined && { updated_permissions: updatedPermissions }),
    ...(message !== undefined && { message }),
    ...(interrupt !== undefined && { interrupt }),
  });
}

/** SDKs always send the input back; only another one is an edit, which not every agent takes. */
function isEdited(input: unknown, request: OpenRequest | undefined): boolean {
  if (input === undefined) return false;
  return (
    request?.type !== "permission_request" || !isDeepStrictEqual(input, request.data.tool_input)
  );
}
