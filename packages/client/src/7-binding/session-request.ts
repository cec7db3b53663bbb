import type { EventData, RequestKind, RequestTypeOf } from "@turnwire/protocol";
import type { RequestProgress } from "../6-session/session-view.ts";
import type { ResponseTo } from "../6-session/session.ts";

/** A request of one kind, with the way to answer it. */
interface RequestOf<Kind extends RequestKind> {
  readonly type: Kind;
  /** Its correlation or interrupt id. */
  readonly id: string;
  /** The request as the agent made it. */
  readonly request: EventData<RequestTypeOf<Kind>>;
  readonly progress: RequestProgress;
  /** Answers it; how that goes is seen in `progress`. */
  readonly respond: (response: ResponseTo<Kind>) => void;
}

export type PermissionRequest = RequestOf<"permission">;
export type QuestionRequest = RequestOf<"question">;
export type HookRequest = RequestOf<"hook">;
export type InterruptRequest = RequestOf<"interrupt">;
export type ToolCallRequest = RequestOf<"tool_call">;

/** Something that waits for a person, with the way to answer it. */
export type SessionRequest = { [Kind in RequestKind]: RequestOf<Kind> }[RequestKind];

export type { RequestBlock } from "@turnwire/protocol";
