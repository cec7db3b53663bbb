import type { Attachment } from "./attachment.ts";
import type { SessionBudget } from "./budget.ts";
import type { Capabilities } from "./capabilities.ts";
import type { ContentBlock } from "./content.ts";
import type { EventData, SessionEventOf } from "./event.ts";
import type { Surface } from "./event/component.ts";
import type { PlanStep } from "./event/progress.ts";
import type { ToolPolicy } from "./event/policy.ts";
import type { Outcome, PermissionGrant } from "./event/request.ts";
import type { SessionStatus } from "./event/session.ts";
import type { Usage } from "./event/turn.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { SessionSandbox } from "./sandbox.ts";
import type { SessionConfiguration } from "./trust.ts";
import type { UiTool } from "./ui-tool.ts";
import type { Worktree } from "./worktree.ts";

/** The event types that ask a person something. */
export type RequestType =
  | "permission_request"
  | "question_request"
  | "hook_request"
  | "interrupt"
  | "tool_call_request"
  | "budget_request";

/** Who performs an open tool call. It counts until `expires_at`; from then on another page may claim the call. */
export type ToolCallClaim = Pick<EventData<"tool_call_claimed">, "claim_id" | "expires_at" | "by">;

/** A tool call that waits for its outcome, with its newest claim. */
export type OpenToolCall = SessionEventOf<"tool_call_request"> & { readonly claim?: ToolCallClaim };

/** A request that waits for its outcome, as it was asked. */
export type OpenRequest =
  | { [Type in Exclude<RequestType, "tool_call_request">]: SessionEventOf<Type> }[Exclude<
      RequestType,
      "tool_call_request"
    >]
  | OpenToolCall;

/** What may have parts stored beside the log. */
export interface HasAttachments {
  /** Such parts; their paths lead into the object that has this list. */
  readonly attachments?: readonly Attachment[];
}

/** A user message that waits for its turn. */
export type QueuedMessage = EventData<"user_message"> &
  HasAttachments & {
    seq: number;
    ts: string;
  };

/** The turn that runs. */
export interface Turn {
  readonly turn_id: string;
  readonly message_id?: string;
  readonly started_at: string;
  /** No one is there to be asked. */
  readonly is_unattended?: true;
}

/** What the session is, apart from its conversation. */
export interface SessionFacts {
  readonly session_id: string;
  readonly runtime: string;
  readonly status: SessionStatus;
  readonly is_closed: boolean;
  readonly capabilities: Capabilities;
  readonly title?: string;
  readonly model?: string;
  readonly effort?: string;
  readonly permission_mode?: string;
  /** Absent: no policy decides. */
  readonly policy_mode?: string;
  readonly cwd?: string;
  /** The git worktree that was made for it. */
  readonly worktree?: Worktree;
  readonly provider_session_id?: string;
  /** What the agent may do without asking, oldest first; absent when there is nothing. */
  readonly grants?: readonly PermissionGrant[];
  readonly configuration?: SessionConfiguration;
  /** The sandbox that its agent's commands run in; absent: none. */
  readonly sandbox?: SessionSandbox;
  /** How much it may use, and has used since that was first set; absent: as much as it wants. */
  readonly budget?: SessionBudget;
}

/**
 * The part of the state that decisions need: small, whatever the conversation's length.
 * The server keeps it for every loaded session; `SessionState` extends it.
 */
export interface Control {
  readonly seq: number;
  readonly session: SessionFacts;
  readonly turn: Turn | null;
  /** The newest turn, running or ended; null before the first and after a rollback, which takes it away. */
  readonly last_turn_id: string | null;
  readonly queue: readonly QueuedMessage[];
  /** Open requests by correlation or interrupt id, oldest first. */
  readonly requests: Readonly<Record<string, OpenRequest>>;
  /** Outcomes of the newest requests that ended, so that a late answer is distinguished from a wrong one. */
  readonly outcomes: Readonly<Record<string, Outcome>>;
  /** The document that agent and UI both write; here because a patch is checked against it. */
  readonly shared: JsonValue;
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

export interface UserMessage extends HasAttachments {
  readonly role: "user";
  readonly id: string;
  readonly seq: number;
  readonly ts: string;
  readonly content: readonly ContentBlock[];
  readonly delivery: EventData<"user_message">["delivery"];
  readonly turn_id?: string;
  readonly client_message_id?: string;
  readonly by?: string;
}

export interface AgentMessage {
  readonly role: "agent";
  readonly id: string;
  readonly seq: number;
  readonly ts: string;
  readonly turn_id?: string;
  readonly blocks: readonly Block[];
  /** No more blocks follow: the next event of the agent opens a new message. */
  readonly done: boolean;
  /** When its turn ended. */
  readonly ended_at?: string;
  /** A person stopped the turn. */
  readonly stopped?: boolean;
  readonly result?: EventData<"result">;
}

export type Message = UserMessage | AgentMessage;

/** What the session is doing right now, for a status line. */
export interface Activity {
  readonly kind: "idle" | "thinking" | "tool" | "writing" | "waiting";
  /** For people: "Running npm test", "Waiting for you". */
  readonly label: string;
}

export interface Component extends HasAttachments {
  readonly component_id: string;
  readonly name: string;
  readonly surface: Surface;
  readonly props: JsonObject;
}

export interface TaskState extends HasAttachments {
  readonly task_id: string;
  readonly status: EventData<"task">["status"];
  readonly description?: string;
  readonly summary?: string;
  readonly tool_use_id?: string;
}

/** Everything a client knows of a session: the fold over its log. */
export interface SessionState extends Control {
  readonly messages: readonly Message[];
  readonly activity: Activity;
  /** Components outside the chat, by surface, in the order they appeared. */
  readonly surfaces: Readonly<Record<Exclude<Surface, "chat">, readonly Component[]>>;
  readonly tasks: Readonly<Record<string, TaskState>>;
  readonly mcp: Readonly<Record<string, string>>;
  /** Totals as the runtime counts them; what one turn used is in its message's result. */
  readonly usage: Usage & { readonly total_cost_usd: number };
}
