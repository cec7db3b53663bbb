import * as z from "zod";
import { ContentBlock } from "./content.ts";
import { Answers } from "./event/request.ts";
import { Delivery } from "./event/turn.ts";
import { JsonObject, JsonValue } from "./json.ts";
import { JsonPatchOperation } from "./json-patch.ts";

const id = z.string().min(1).max(200);

/** What a person says: plain text, or text with images and documents. */
export const MessageContent = z.union([z.string().min(1), z.array(ContentBlock).min(1).max(100)]);
export type MessageContent = z.infer<typeof MessageContent>;

const message = {
  content: MessageContent,
  /** The sender's own id: sending again with it does nothing twice. */
  client_message_id: id.optional(),
  context: JsonObject.optional(),
};

const PermissionResponse = z
  .object({
    type: z.literal("permission_response"),
    correlation_id: id,
    behavior: z.enum(["allow", "deny"]),
    updated_input: JsonValue.optional(),
    updated_permissions: z.array(JsonObject).optional(),
    message: z.string().optional(),
    interrupt: z.boolean().optional(),
  })
  .refine((response) => !(response.behavior === "allow" && response.interrupt), {
    message: "interrupt goes with deny only",
    path: ["interrupt"],
  })
  .refine((response) => !(response.behavior === "deny" && response.updated_input !== undefined), {
    message: "updated_input goes with allow only",
    path: ["updated_input"],
  });

export const commandSchemas = {
  user_message: z.object({
    type: z.literal("user_message"),
    ...message,
    delivery: Delivery.optional(),
  }),
  steer: z.object({ type: z.literal("steer"), ...message }),
  /** Takes back a message that waits for its turn. */
  cancel_message: z.object({ type: z.literal("cancel_message"), message_id: id }),
  interrupt: z.object({ type: z.literal("interrupt") }),
  permission_response: PermissionResponse,
  question_response: z.object({
    type: z.literal("question_response"),
    correlation_id: id,
    answers: Answers,
    /** A note beside an answer, by the question's full text. */
    notes: z.record(z.string(), z.string()).optional(),
  }),
  hook_response: z.object({
    type: z.literal("hook_response"),
    correlation_id: id,
    decision: JsonObject,
  }),
  interrupt_response: z.object({
    type: z.literal("interrupt_response"),
    interrupt_id: id,
    value: JsonValue,
  }),
  tool_call_response: z.object({
    type: z.literal("tool_call_response"),
    correlation_id: id,
    output: JsonValue,
    is_error: z.boolean().optional(),
  }),
  /** The sender alone is to perform the call; sent again, it keeps the claim for longer. */
  tool_call_claim: z.object({
    type: z.literal("tool_call_claim"),
    correlation_id: id,
    /** A random id of the page that claims. */
    claim_id: id,
  }),
  component_callback: z.object({
    type: z.literal("component_callback"),
    component_id: id,
    action: id,
    payload: JsonObject,
  }),
  state_patch: z.object({
    type: z.literal("state_patch"),
    patches: z.array(JsonPatchOperation).min(1).max(1000),
  }),
  set_model: z.object({ type: z.literal("set_model"), model: id.nullable() }),
  set_permission_mode: z.object({ type: z.literal("set_permission_mode"), mode: id }),
  stop_task: z.object({ type: z.literal("stop_task"), task_id: id }),
  fork: z.object({
    type: z.literal("fork"),
    /** The last turn to take along; without it, all finished turns. */
    turn_id: id.optional(),
    title: z.string().max(500).optional(),
  }),
  rollback: z.object({
    type: z.literal("rollback"),
    /** The first turn to undo. */
    turn_id: id,
    files: z.boolean().optional(),
  }),
  compact: z.object({ type: z.literal("compact"), instructions: z.string().optional() }),
  archive: z.object({ type: z.literal("archive") }),
  unarchive: z.object({ type: z.literal("unarchive") }),
  rename: z.object({ type: z.literal("rename"), title: z.string().max(500) }),
};

export type CommandType = keyof typeof commandSchemas;
export type CommandOf<Type extends CommandType> = z.infer<(typeof commandSchemas)[Type]>;

/** A command that brings a message from a person. */
export type MessageCommand = CommandOf<"user_message" | "steer">;

/** A wish from a client: decided against the session's state, answered with events or a rejection. */
export type Command = { [Type in CommandType]: CommandOf<Type> }[CommandType];

const everyCommand = Object.values(commandSchemas);

export const Command = z.discriminatedUnion(
  "type",
  everyCommand as [(typeof everyCommand)[number], ...(typeof everyCommand)[number][]],
) as unknown as z.ZodType<Command>;
