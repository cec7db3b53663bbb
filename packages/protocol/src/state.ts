import type { Block, HasAttachments } from "./block.ts";
import type { SessionBudget } from "./budget.ts";
import type { Capabilities } from "./capabilities.ts";
import type { CatalogEntry } from "./catalog.ts";
import type { ContentBlock } from "./content.ts";
import type { EventData, SessionEventOf } from "./event.ts";
import type { Surface } from "./event/component.ts";
import type { Outcome, PermissionGrant } from "./event/request.ts";
import type { SessionStatus } from "./event/session.ts";
import type { Usage } from "./event/turn.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import type { SessionSandbox } from "./sandbox.ts";
import type { SessionConfiguration } from "./trust.ts";
import type { Worktree } from "./worktree.ts";

export type * from "./block.ts";

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
  /** How often it was changed; 0 before the first time. */
  readonly shared_version: number;
  /** The components that can be shown; empty: none is known, and any may be tried. */
  readonly catalog: readonly CatalogEntry[];
}

export interface UserMessage extends HasAttachments {
  readonly role: "user";
  readonly id: string;
  readonly seq: number;
  readonly ts: string;
  readonly content: readonly ContentBlock[];
  readonly delivery: EventData<"user_message">["delivery"];
  readonly turn_id?: string;
  readonly client_message_id?: string;
  /** What a person did in a component, where the message comes from there. */
  readonly callback?: EventData<"user_message">["callback"];
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
