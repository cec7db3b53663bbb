import * as z from "zod";
import { Attachment } from "../part/attachment.ts";
import { type EventData, eventData } from "../event/event.ts";
import { ToolPolicy } from "../event/policy.ts";
import { PlanStep } from "../event/progress.ts";
import { Outcome } from "../event/request.ts";
import { JsonObject, JsonValue } from "../json/json.ts";
import { readonlyList, readonlyObject } from "./readonly-schema.ts";
import {
  type RequestIdOf,
  requestKindNames,
  requestKinds,
  type RequestKind,
  type RequestTypeOf,
  type ResolutionTypeOf,
} from "./request-kind.ts";

/** Parts of an object of the state that are stored beside the log. */
export const attachments = readonlyList(Attachment)
  .optional()
  .describe(
    "Parts that are stored beside the log; their paths lead into the object that has this list.",
  );

/** A value with parts that may be stored beside the log. */
export interface HasAttachments {
  /** Such parts; their paths lead into the object that has this list. */
  readonly attachments?: readonly Attachment[] | undefined;
}

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

/** How far a request block has come: open, or its outcome. */
const RequestStatus = z
  .union([z.literal("open"), Outcome])
  .describe("`open`, or how the request ended.");
export type RequestStatus = z.infer<typeof RequestStatus>;

const TextBlock = readonlyObject({
  type: z.literal("text"),
  ...base,
  message_id: messageId,
  text: z.string().describe("The text so far."),
}).describe("Text of the agent.");
export type TextBlock = z.infer<typeof TextBlock>;

const ThinkingBlock = readonlyObject({
  type: z.literal("thinking"),
  ...base,
  message_id: messageId,
  text: z.string().describe("The thought so far."),
  done: z.boolean().describe("Whether the thought is complete."),
}).describe("Reasoning of the agent.");

const start = eventData.tool_start.shape;
const result = eventData.tool_result.shape;
const resolved = eventData.permission_resolved.shape;

const ToolPermission = readonlyObject({
  correlation_id: z.string().describe("The request's id."),
  outcome: Outcome,
  allowed: resolved.allowed,
  message: resolved.message,
  original_input: JsonValue.optional().describe(
    "The input that the agent asked for, where a person allowed another: `input` is what ran.",
  ),
  updated_permissions: resolved.updated_permissions,
  by: resolved.by,
});
export type ToolPermission = z.infer<typeof ToolPermission>;
export type ThinkingBlock = z.infer<typeof ThinkingBlock>;

const ToolBlock = readonlyObject({
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
  permission: ToolPermission.optional().describe("How the permission request for it ended."),
}).describe("A use of a tool.");
export type ToolBlock = z.infer<typeof ToolBlock>;

const requestBlock = readonlyObject({ ...base, status: RequestStatus });

/** A block that shows a request, open or ended. */
export type RequestBlockOf<Kind extends RequestKind> = z.infer<typeof requestBlock> & {
  readonly type: Kind;
  readonly request: EventData<RequestTypeOf<Kind>>;
  readonly resolution?: EventData<ResolutionTypeOf<Kind>>;
} & { readonly [Id in RequestIdOf<Kind>]: string };
export type RequestBlock = { [Kind in RequestKind]: RequestBlockOf<Kind> }[RequestKind];

export type PermissionBlock = RequestBlockOf<"permission">;
export type QuestionBlock = RequestBlockOf<"question">;
export type HookBlock = RequestBlockOf<"hook">;
export type InterruptBlock = RequestBlockOf<"interrupt">;
export type ToolCallBlock = RequestBlockOf<"tool_call">;
export type BudgetBlock = RequestBlockOf<"budget">;

const meanings: Readonly<Record<RequestKind, string>> = {
  permission: "A permission request.",
  question: "A question request.",
  hook: "A hook request.",
  interrupt: "An interrupt.",
  tool_call: "A call of a frontend tool.",
  budget: "A budget request.",
};

const requestBlocks = requestKindNames.map((kind) => {
  const { request, resolved, id } = requestKinds[kind];
  return z
    .object({
      type: z.literal(kind),
      ...base,
      [id]: z.string().describe("The request's id."),
      status: RequestStatus,
      request: eventData[request].describe("The `data` of the request."),
      resolution: eventData[resolved].optional().describe("The `data` of its end."),
    })
    .describe(meanings[kind]);
}) as unknown as readonly (z.ZodType<RequestBlock> & z.core.$ZodTypeDiscriminable)[];

const ComponentBlock = readonlyObject({
  type: z.literal("component"),
  ...base,
  component_id: z.string().describe("The component's id."),
  name: z.string().describe("Which component to render."),
  props: JsonObject.describe("Its properties."),
  tool_use_id: z.string().optional().describe("The tool use that shows it."),
}).describe("A component in the chat.");
export type ComponentBlock = z.infer<typeof ComponentBlock>;

const subagent = {
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
  output: JsonValue.optional().describe("What it returned."),
  started_at: z.string().describe("When it started."),
  completed_at: z.string().optional().describe("When it ended."),
  policy: ToolPolicy.optional().describe(
    "What the session's policy decided about starting it, newest.",
  ),
};
const SubagentBlock = readonlyObject({
  ...subagent,
  get blocks(): z.ZodType<readonly Block[]> {
    return readonlyList(Block).describe("What it did, in order.");
  },
}).describe("A sub-agent with its own blocks.");
const Subagent = readonlyObject(subagent);
/** An interface, because its blocks can be sub-agents again. */
export interface SubagentBlock extends z.infer<typeof Subagent> {
  readonly blocks: readonly Block[];
}

const PlanBlock = readonlyObject({
  type: z.literal("plan"),
  ...base,
  steps: readonlyList(PlanStep).describe("All steps, in order."),
  explanation: z.string().optional().describe("Why the plan is as it is."),
}).describe("The turn's plan.");
export type PlanBlock = z.infer<typeof PlanBlock>;

const DiffBlock = readonlyObject({
  type: z.literal("diff"),
  ...base,
  unified: z.string().describe("All file changes of the turn as a unified diff."),
}).describe("The turn's diff.");
export type DiffBlock = z.infer<typeof DiffBlock>;

const NoticeBlock = readonlyObject({
  type: z.literal("notice"),
  ...base,
  level: eventData.notice.shape.level,
  text: eventData.notice.shape.text,
  notice_id: eventData.notice.shape.notice_id,
}).describe("A notice.");
export type NoticeBlock = z.infer<typeof NoticeBlock>;

const ErrorBlock = z
  .object({ type: z.literal("error"), ...base, ...eventData.error.shape })
  .describe("An error.");
export type ErrorBlock = z.infer<typeof ErrorBlock>;

/** One visible piece of a message, in the order it happened. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolBlock
  | RequestBlock
  | ComponentBlock
  | SubagentBlock
  | PlanBlock
  | DiffBlock
  | NoticeBlock
  | ErrorBlock;
export const Block: z.ZodType<Block> = z
  .discriminatedUnion("type", [
    TextBlock,
    ThinkingBlock,
    ToolBlock,
    ...requestBlocks,
    ComponentBlock,
    SubagentBlock,
    PlanBlock,
    DiffBlock,
    NoticeBlock,
    ErrorBlock,
  ])
  .register(z.globalRegistry, { id: "Block" });
