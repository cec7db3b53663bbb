import * as z from "zod";
import { Attachment } from "./attachment.ts";
import { eventData } from "./event.ts";
import { ToolPolicy } from "./event/policy.ts";
import { PlanStep } from "./event/progress.ts";
import { Outcome } from "./event/request.ts";
import { JsonObject, JsonValue } from "./json.ts";

/** Parts of an object of the state that are stored beside the log. */
export const attachments = z
  .array(Attachment)
  .optional()
  .describe(
    "Parts that are stored beside the log; their paths lead into the object that has this list.",
  );

const base = {
  key: z.string().describe("Unique in the session; stays the same while the block exists."),
  attachments,
};
const messageId = z.string().describe("The agent's message that the text belongs to.");
const knownMessageId = z
  .string()
  .optional()
  .describe(
    "The agent's message that it belongs to; absent where that was not known when the block began.",
  );
const status = z.union([z.literal("open"), Outcome]).describe("`open`, or how the request ended.");
const correlationId = z.string().describe("The request's id.");

const TextBlock = z
  .object({
    type: z.literal("text"),
    ...base,
    message_id: messageId,
    text: z.string().describe("The text so far."),
  })
  .describe("Text of the agent.");

const ThinkingBlock = z
  .object({
    type: z.literal("thinking"),
    ...base,
    message_id: messageId,
    text: z.string().describe("The thought so far."),
    done: z.boolean().describe("Whether the thought is complete."),
  })
  .describe("Reasoning of the agent.");

const start = eventData.tool_start.shape;
const result = eventData.tool_result.shape;
const resolved = eventData.permission_resolved.shape;

const ToolBlock = z
  .object({
    type: z.literal("tool"),
    ...base,
    tool_use_id: start.tool_use_id,
    message_id: knownMessageId,
    tool: start.tool,
    ui_tool: start.ui_tool,
    status: z
      .enum(["preparing", "running", "done", "failed", "abandoned"])
      .describe(
        "`preparing`: its input is being written; `abandoned`: its turn ended without a result.",
      ),
    input: start.input,
    partial_input: z
      .string()
      .optional()
      .describe("The JSON text of the input so far, while the tool is `preparing`."),
    command: start.command,
    file_path: start.file_path,
    pattern: start.pattern,
    search_path: start.search_path,
    is_file_read: start.is_file_read,
    streamed: z
      .string()
      .describe(
        "The streamed output so far, of a long one `…` and the newest part; `output` replaces it.",
      ),
    output: JsonValue.optional().describe("The complete output."),
    exit_code: result.exit_code,
    duration_ms: z
      .number()
      .optional()
      .describe(
        "How long it ran, in milliseconds: the result's figure, or the time since `started_at`.",
      ),
    started_at: z
      .string()
      .optional()
      .describe("The `ts` of its `tool_start`, or of the answer that allowed it."),
    diff: result.diff,
    policy: ToolPolicy.optional().describe("What the session's policy decided about it, newest."),
    permission: z
      .object({
        correlation_id: correlationId,
        outcome: Outcome,
        allowed: resolved.allowed,
        message: resolved.message,
        original_input: JsonValue.optional().describe(
          "The input that the agent asked for, where a person allowed another: `input` is what ran.",
        ),
        updated_permissions: resolved.updated_permissions,
        by: resolved.by,
      })
      .optional()
      .describe("How the permission request for it ended."),
  })
  .describe("A use of a tool.");

const PermissionBlock = z
  .object({
    type: z.literal("permission"),
    ...base,
    correlation_id: correlationId,
    status,
    request: eventData.permission_request.describe("The `data` of the request."),
    resolution: eventData.permission_resolved.optional().describe("The `data` of its end."),
  })
  .describe("A permission request.");

const QuestionBlock = z
  .object({
    type: z.literal("question"),
    ...base,
    correlation_id: correlationId,
    status,
    request: eventData.question_request.describe("The `data` of the request."),
    resolution: eventData.question_resolved.optional().describe("The `data` of its end."),
  })
  .describe("A question request.");

const HookBlock = z
  .object({
    type: z.literal("hook"),
    ...base,
    correlation_id: correlationId,
    status,
    request: eventData.hook_request.describe("The `data` of the request."),
    resolution: eventData.hook_resolved.optional().describe("The `data` of its end."),
  })
  .describe("A hook request.");

const InterruptBlock = z
  .object({
    type: z.literal("interrupt"),
    ...base,
    interrupt_id: correlationId,
    status,
    request: eventData.interrupt.describe("The `data` of the request."),
    resolution: eventData.interrupt_resolved.optional().describe("The `data` of its end."),
  })
  .describe("An interrupt.");

const ToolCallBlock = z
  .object({
    type: z.literal("tool_call"),
    ...base,
    correlation_id: correlationId,
    status,
    request: eventData.tool_call_request.describe("The `data` of the request."),
    resolution: eventData.tool_call_resolved.optional().describe("The `data` of its end."),
  })
  .describe("A call of a frontend tool.");

const BudgetBlock = z
  .object({
    type: z.literal("budget"),
    ...base,
    correlation_id: correlationId,
    status,
    request: eventData.budget_request.describe("The `data` of the request."),
    resolution: eventData.budget_resolved.optional().describe("The `data` of its end."),
  })
  .describe("A budget request.");

const ComponentBlock = z
  .object({
    type: z.literal("component"),
    ...base,
    component_id: z.string().describe("The component's id."),
    name: z.string().describe("Which component to render."),
    props: JsonObject.describe("Its properties."),
    tool_use_id: z.string().optional().describe("The tool use that shows it."),
  })
  .describe("A component in the chat.");

const SubagentBlock = z
  .object({
    type: z.literal("subagent"),
    ...base,
    subagent_id: z.string().describe("The `tool_use_id` that started it."),
    message_id: knownMessageId,
    name: z.string().describe("Its name."),
    status: z
      .enum(["running", "completed", "failed", "abandoned"])
      .describe("`abandoned`: its turn ended without a result."),
    tool_calls: z.int().describe("How many tools it has started."),
    file_changes: z.int().describe("How many of them changed a file."),
    get blocks(): z.ZodType {
      return z.array(BlockSchema).describe("What it did, in order.");
    },
    output: JsonValue.optional().describe("What it returned."),
    started_at: z.string().describe("When it started."),
    completed_at: z.string().optional().describe("When it ended."),
    policy: ToolPolicy.optional().describe(
      "What the session's policy decided about starting it, newest.",
    ),
  })
  .describe("A sub-agent with its own blocks.");

const PlanBlock = z
  .object({
    type: z.literal("plan"),
    ...base,
    steps: z.array(PlanStep).describe("All steps, in order."),
    explanation: z.string().optional().describe("Why the plan is as it is."),
  })
  .describe("The turn's plan.");

const DiffBlock = z
  .object({
    type: z.literal("diff"),
    ...base,
    unified: z.string().describe("All file changes of the turn as a unified diff."),
  })
  .describe("The turn's diff.");

const NoticeBlock = z
  .object({
    type: z.literal("notice"),
    ...base,
    level: eventData.notice.shape.level,
    text: eventData.notice.shape.text,
    notice_id: eventData.notice.shape.notice_id,
  })
  .describe("A notice.");

const ErrorBlock = z
  .object({ type: z.literal("error"), ...base, ...eventData.error.shape })
  .describe("An error.");

/** One visible piece of a message; `Block` in `state.ts` is its type. */
export const BlockSchema: z.ZodType = z
  .discriminatedUnion("type", [
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    PermissionBlock,
    QuestionBlock,
    HookBlock,
    InterruptBlock,
    ToolCallBlock,
    BudgetBlock,
    ComponentBlock,
    SubagentBlock,
    PlanBlock,
    DiffBlock,
    NoticeBlock,
    ErrorBlock,
  ])
  .register(z.globalRegistry, { id: "Block" });
