import { JsonObject, JsonValue } from "@turnwire/protocol";
import * as z from "zod";
import { runMessageSchemas } from "./run-message.ts";

const text = z.string().optional();
const flag = z.boolean().optional();
const count = z.number().optional();

/** On whose behalf: inside a sub-agent, the tool use that spawned it. */
const speaker = { parent_tool_use_id: z.string().nullish(), agent_id: text, subagent_type: text };

const Tokens = z.object({
  input_tokens: z.number().nullish(),
  output_tokens: z.number().nullish(),
  cache_read_input_tokens: z.number().nullish(),
  cache_creation_input_tokens: z.number().nullish(),
  output_tokens_details: z.object({ thinking_tokens: z.number().nullish() }).nullish(),
});
export type Tokens = z.infer<typeof Tokens>;

const ModelUsage = z.record(
  z.string(),
  z.object({
    inputTokens: count,
    outputTokens: count,
    cacheReadInputTokens: count,
    cacheCreationInputTokens: count,
    thinkingTokens: count,
    costUSD: count,
    contextWindow: count,
  }),
);

const TaskUsage = z.object({ total_tokens: count, tool_uses: count, duration_ms: count });

/** An event of the Messages stream; deltas that carry nothing we show have none of the fields. */
const StreamEvent = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("message_start"),
    message: z.object({ id: z.string(), model: text, usage: Tokens.optional() }),
  }),
  z.object({
    type: z.literal("content_block_start"),
    content_block: z.object({ type: z.string(), id: text, name: text, text, thinking: text }),
  }),
  z.object({
    type: z.literal("content_block_delta"),
    delta: z.object({ type: z.string(), text, thinking: text, partial_json: text }),
  }),
  z.object({ type: z.literal("content_block_stop") }),
  z.object({
    type: z.literal("message_delta"),
    delta: z.object({ stop_reason: z.string().nullish() }),
    usage: Tokens.nullish(),
  }),
  z.object({ type: z.literal("message_stop") }),
  z.object({ type: z.literal("ping") }),
]);

/** Of a subscription: `utilization` is a share of 1, `resetsAt` in seconds since 1970. */
const RateLimitWindow = z.object({ status: z.string(), utilization: count, resetsAt: count });

const SlashCommand = z.object({ name: z.string(), description: text });

const conversation = {
  assistant: z.object({
    ...speaker,
    uuid: text,
    message: z.object({
      id: z.string(),
      model: text,
      content: z.array(JsonObject),
      stop_reason: z.string().nullish(),
    }),
    error: text,
    timestamp: text,
  }),
  user: z.object({
    ...speaker,
    message: z.object({ content: z.union([z.string(), z.array(JsonObject)]) }),
    tool_use_result: JsonValue.optional(),
    isReplay: flag,
    timestamp: text,
  }),
  stream_event: z.object({
    ...speaker,
    uuid: text,
    event: StreamEvent,
    /** Not in the SDK's types: on the `message_stop` of a stream that broke off. */
    abandoned_blocks: z.looseObject({}).optional(),
  }),
  result: z.object({
    subtype: z.string(),
    is_error: z.boolean(),
    result: text,
    structured_output: JsonValue.optional(),
    errors: z.array(z.string()).optional(),
    terminal_reason: text,
    stop_reason: z.string().nullish(),
    duration_ms: count,
    usage: Tokens.optional(),
    total_cost_usd: count,
    modelUsage: ModelUsage.optional(),
    /** Not in the SDK's types, but sent by 2.1.325: unlike the totals it is right after a resume. */
    model_usage_since_last_result: ModelUsage.optional(),
    user_message_uuids: z.array(z.string()).optional(),
  }),
};

const system = {
  "system/init": z.object({
    session_id: z.string(),
    model: text,
    permissionMode: text,
    slash_commands: z.array(z.string()).optional(),
    terminal_slash_commands: z.array(z.string()).optional(),
    mcp_servers: z.array(z.object({ name: z.string(), status: z.string() })).optional(),
  }),
  "system/status": z.object({ permissionMode: text, compact_result: text, compact_error: text }),
  "system/commands_changed": z.object({ commands: z.array(SlashCommand) }),
  "system/session_state_changed": z.object({ state: z.string() }),
  "system/api_retry": z.object({
    attempt: z.number(),
    max_retries: z.number(),
    retry_delay_ms: z.number(),
    error_status: z.number().nullish(),
    error: text,
  }),
  "system/compact_boundary": z.object({
    compact_metadata: z.object({ pre_tokens: count, post_tokens: count }),
  }),
  "system/model_refusal_fallback": z.object({ content: z.string() }),
  "system/informational": z.object({ content: z.string(), level: text }),
  "system/notification": z.object({ text: z.string() }),
  "system/mirror_error": z.object({ error: z.string() }),
  "system/local_command_output": z.object({ content: z.string() }),
  "system/permission_denied": z.object({
    tool_name: z.string(),
    decision_reason: text,
    message: z.string(),
    agent_id: text,
  }),
  "system/hook_response": z.object({
    hook_name: z.string(),
    outcome: z.string(),
    output: text,
    stderr: text,
    exit_code: count,
  }),
  "system/task_started": z.object({
    task_id: z.string(),
    tool_use_id: text,
    description: text,
    task_type: text,
    ambient: flag,
  }),
  "system/task_progress": z.object({
    task_id: z.string(),
    description: text,
    summary: text,
    usage: TaskUsage.optional(),
  }),
  "system/task_updated": z.object({
    task_id: z.string(),
    patch: z.object({ status: text, description: text, error: text }),
  }),
  "system/task_notification": z.object({
    task_id: z.string(),
    tool_use_id: text,
    status: z.enum(["completed", "failed", "stopped"]),
    summary: text,
    usage: TaskUsage.optional(),
  }),
};

/** Messages with nothing that the log does not get from another one. */
const Quiet = z.looseObject({});

const other = {
  command_lifecycle: z.object({ command_uuid: z.string(), state: z.string() }),
  conversation_reset: Quiet,
  rate_limit_event: z.object({
    rate_limit_info: z.object({
      ...RateLimitWindow.shape,
      rateLimitType: text,
      /** Not in the SDK's types, but sent by 2.1.328: all limits, by their types. */
      unifiedWindows: z.record(z.string(), RateLimitWindow).optional(),
    }),
  }),
  tool_progress: z.object({
    ...speaker,
    tool_use_id: z.string(),
    subagent_retry: z
      .object({ attempt: z.number(), max_retries: z.number(), error_category: text })
      .optional(),
  }),
  keep_alive: Quiet,
  "system/thinking_tokens": Quiet,
  "system/hook_started": Quiet,
  "system/hook_progress": Quiet,
  "system/background_tasks_changed": Quiet,
  // Not in the SDK's types, but sent by 2.1.325: a view of its own terminal has changed.
  "system/ui_invalidate": Quiet,
  "system/model_refusal_no_fallback": Quiet,
};

/** The schema of every message of the agent that we read; `system` ones by their subtype. */
export const agentMessageSchemas = { ...conversation, ...system, ...other };

const schemas = { ...agentMessageSchemas, ...runMessageSchemas };

type MessageType = keyof typeof schemas;
export type ClaudeMessageOf<Type extends MessageType> = Type extends MessageType
  ? { readonly type: Type } & z.infer<(typeof schemas)[Type]>
  : never;

/** What we read of the agent's stream: messages of the SDK, and our own run's between them. */
export type ClaudeMessage = ClaudeMessageOf<MessageType>;

const Head = z.object({ type: z.string(), subtype: text });

/** Reads a message; undefined when it is of no kind that we know, or not of the form we know. */
export function claudeMessageFrom(native: unknown): ClaudeMessage | undefined {
  const head = Head.safeParse(native);
  if (!head.success) return undefined;
  const { type, subtype } = head.data;
  const name = type === "system" ? `system/${subtype}` : type;
  if (!isMessageType(name)) return undefined;
  const parsed = schemas[name].safeParse(native);
  // The name has chosen the schema, so the data is of the message with that name.
  return parsed.success ? ({ ...parsed.data, type: name } as ClaudeMessage) : undefined;
}

function isMessageType(name: string): name is MessageType {
  return Object.hasOwn(schemas, name);
}
