import type { Attachment } from "./attachment.ts";
import type { EventData } from "./event.ts";
import type { PlanStep } from "./event/progress.ts";
import type { ToolPolicy } from "./event/policy.ts";
import type { Outcome } from "./event/request.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { UiTool } from "./ui-tool.ts";

/** What may have parts stored beside the log. */
export interface HasAttachments {
  /** Such parts; their paths lead into the object that has this list. */
  readonly attachments?: readonly Attachment[];
}

interface BlockBase extends HasAttachments {
  /** Stable for the block's life, unique in the session. */
  readonly key: string;
}

export interface TextBlock extends BlockBase {
  readonly type: "text";
  readonly message_id: string;
  readonly text: string;
}

export interface ThinkingBlock extends BlockBase {
  readonly type: "thinking";
  readonly message_id: string;
  readonly text: string;
  readonly done: boolean;
}

/** How the permission request for a tool ended. */
export interface ToolPermission {
  readonly correlation_id: string;
  readonly outcome: Outcome;
  readonly allowed: boolean;
  /** What the person said to the agent. */
  readonly message?: string;
  /** What the agent asked to do, where a person allowed something else: the block has what ran. */
  readonly original_input?: JsonValue;
  readonly updated_permissions?: readonly JsonObject[];
  readonly by?: string;
}

export interface ToolBlock extends BlockBase {
  readonly type: "tool";
  readonly tool_use_id: string;
  /** The agent's message that uses it; absent where that was not known when the block began. */
  readonly message_id?: string;
  readonly tool: string;
  /** Which of Turnwire's own UI tools it is: what it shows stands for it. */
  readonly ui_tool?: UiTool;
  readonly status: "preparing" | "running" | "done" | "failed" | "abandoned";
  readonly input?: JsonValue;
  /** The input as far as it has streamed in, while `input` is not there yet. */
  readonly partial_input?: string;
  readonly command?: string;
  readonly file_path?: string;
  readonly pattern?: string;
  readonly search_path?: string;
  readonly is_file_read?: boolean;
  /** Streamed output, of a long one the newest part after `…`; `output` replaces it as the truth. */
  readonly streamed: string;
  readonly output?: JsonValue;
  readonly exit_code?: number | null;
  /** How long it ran, without the time that a person took to allow it. */
  readonly duration_ms?: number;
  /** When it began, or was allowed to. */
  readonly started_at?: string;
  readonly diff?: string;
  /** What the session's policy decided about it, newest. */
  readonly policy?: ToolPolicy;
  readonly permission?: ToolPermission;
}

/** How far a request block has come: open, or its outcome. */
export type RequestStatus = "open" | Outcome;

export interface PermissionBlock extends BlockBase {
  readonly type: "permission";
  readonly correlation_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"permission_request">;
  readonly resolution?: EventData<"permission_resolved">;
}

export interface QuestionBlock extends BlockBase {
  readonly type: "question";
  readonly correlation_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"question_request">;
  readonly resolution?: EventData<"question_resolved">;
}

export interface HookBlock extends BlockBase {
  readonly type: "hook";
  readonly correlation_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"hook_request">;
  readonly resolution?: EventData<"hook_resolved">;
}

export interface InterruptBlock extends BlockBase {
  readonly type: "interrupt";
  readonly interrupt_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"interrupt">;
  readonly resolution?: EventData<"interrupt_resolved">;
}

export interface ToolCallBlock extends BlockBase {
  readonly type: "tool_call";
  readonly correlation_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"tool_call_request">;
  readonly resolution?: EventData<"tool_call_resolved">;
}

export interface BudgetBlock extends BlockBase {
  readonly type: "budget";
  readonly correlation_id: string;
  readonly status: RequestStatus;
  readonly request: EventData<"budget_request">;
  readonly resolution?: EventData<"budget_resolved">;
}

export interface ComponentBlock extends BlockBase {
  readonly type: "component";
  readonly component_id: string;
  readonly name: string;
  readonly props: JsonObject;
  readonly tool_use_id?: string;
}

export interface SubagentBlock extends BlockBase {
  readonly type: "subagent";
  /** The id of the tool use that spawned it; events of the sub-agent carry it as `subagent_id`. */
  readonly subagent_id: string;
  /** The agent's message that started it; absent where that was not known when the block began. */
  readonly message_id?: string;
  readonly name: string;
  readonly status: "running" | "completed" | "failed" | "abandoned";
  readonly tool_calls: number;
  readonly file_changes: number;
  readonly blocks: readonly Block[];
  readonly output?: JsonValue;
  readonly started_at: string;
  readonly completed_at?: string;
  /** What the session's policy decided about starting it. */
  readonly policy?: ToolPolicy;
}

export interface PlanBlock extends BlockBase {
  readonly type: "plan";
  readonly steps: readonly PlanStep[];
  readonly explanation?: string;
}

export interface DiffBlock extends BlockBase {
  readonly type: "diff";
  readonly unified: string;
}

export interface NoticeBlock extends BlockBase {
  readonly type: "notice";
  readonly level: "info" | "warning" | "error";
  readonly text: string;
  readonly notice_id?: string;
}

export interface ErrorBlock extends BlockBase {
  readonly type: "error";
  readonly code: string;
  readonly message: string;
  readonly retryable: boolean;
}

/** One visible piece of a message, in the order it happened. */
export type Block =
  | TextBlock
  | ThinkingBlock
  | ToolBlock
  | PermissionBlock
  | QuestionBlock
  | HookBlock
  | InterruptBlock
  | ToolCallBlock
  | BudgetBlock
  | ComponentBlock
  | SubagentBlock
  | PlanBlock
  | DiffBlock
  | NoticeBlock
  | ErrorBlock;
