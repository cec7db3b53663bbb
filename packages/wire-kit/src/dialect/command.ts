import { defined, isObject } from "@turnwire/base";
import {
  Command,
  type ContentBlock,
  type Control,
  DocumentMediaType,
  ImageMediaType,
  rejected,
  type Result,
  validate,
  wireError,
} from "@turnwire/protocol";
import * as z from "zod";

const requestId = z.string().min(1).max(200);

const Chat = z.object({
  type: z.literal("chat"),
  content: z.unknown().optional(),
  attachments: z
    .array(
      z.object({
        name: z.string().max(500).optional(),
        mediaType: z.string().max(200),
        data: z.string(),
      }),
    )
    .max(99)
    .nullish(),
  clientMessageId: z.string().min(1).max(200).nullish(),
  isUnattended: z.boolean().nullish(),
});

const PermissionResponse = z.object({
  requestId,
  behavior: z.enum(["allow", "deny"]),
  updatedInput: z.json().optional(),
  updatedPermissions: z.json().optional(),
  message: z.string().optional(),
  interrupt: z.boolean().optional(),
});
const QuestionResponse = z.object({ requestId, answers: z.json() });
const HookResponse = z.object({ requestId, decision: z.json() });

/** A rejection with the code that the kit has for it, where it has one. */
export function kitRejected(reason: string, message: string): Result<never> {
  return { ok: false, error: wireError("invalid_request", message, { reason }) };
}

/** The command of a client's message to its session; its transport takes those to the connection, such as `resume`. */
export function commandFrom(input: unknown, _control: Control): Result<Command> {
  if (!isObject(input)) return rejected("invalid_request", "A message must be a JSON object.");
  const { type } = input;
  switch (type) {
    case "chat":
      return chatCommand(input);
    case "interrupt":
      return validate(Command, { type: "interrupt" });
    case "setModel":
      return validate(Command, { type: "set_model", model: input["model"] ?? null });
    case "setPermissionMode":
      return validate(Command, { type: "set_permission_mode", mode: input["mode"] });
    case "permissionResponse":
      return permissionCommand(input);
    case "questionResponse": {
      const response = validate(QuestionResponse, input);
      if (!response.ok) return response;
      const { requestId: correlation_id, answers } = response.value;
      return validate(Command, { type: "question_response", correlation_id, answers });
    }
    case "hookResponse": {
      const response = validate(HookResponse, input);
      if (!response.ok) return response;
      const { requestId: correlation_id, decision } = response.value;
      return validate(Command, { type: "hook_response", correlation_id, decision });
    }
    default: {
      const shown = typeof type === "string" ? type.slice(0, 100) : "none";
      return kitRejected("unsupported_message_type", `Unsupported message type: ${shown}`);
    }
  }
}

function permissionCommand(input: unknown): Result<Command> {
  const response = validate(PermissionResponse, input);
  if (!response.ok) return response;
  const { requestId: correlation_id, behavior, message, interrupt } = response.value;
  const { updatedInput: updated_input, updatedPermissions: updated_permissions } = response.value;
  return validate(Command, {
    type: "permission_response",
    correlation_id,
    behavior,
    ...defined({ updated_input, updated_permissions, message, interrupt }),
  });
}

function chatCommand(input: unknown): Result<Command> {
  const chat = validate(Chat, input);
  if (!chat.ok) return chat;
  const { content, attachments, clientMessageId, isUnattended } = chat.value;
  if (typeof content !== "string" || content.trim() === "") {
    return kitRejected("empty_message", "Message content cannot be empty");
  }
  const blocks: unknown[] = [];
  for (const { name: title, mediaType, data } of attachments ?? []) {
    const type = blockTypeOf(mediaType);
    if (!type) {
      const message = `Attachments of type ${mediaType} are not supported: send an image (PNG, JPEG, GIF, WebP), a PDF or plain text.`;
      return kitRejected("unsupported_attachment", message);
    }
    const source = { type: "base64", media_type: mediaType, data };
    blocks.push(type === "image" ? { type, source } : { type, source, ...defined({ title }) });
  }
  return validate(Command, {
    type: "user_message",
    content: [...blocks, { type: "text", text: content.trim() }],
    ...(clientMessageId && { client_message_id: clientMessageId }),
    ...(isUnattended === true && { is_unattended: true }),
  });
}

function blockTypeOf(mediaType: string): ContentBlock["type"] | undefined {
  if (ImageMediaType.safeParse(mediaType).success) return "image";
  return DocumentMediaType.safeParse(mediaType).success ? "document" : undefined;
}
