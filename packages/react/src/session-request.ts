import type { OwnCommand, RequestProgress, Session } from "@turnwire/client";
import type {
  CommandOf,
  EventData,
  HookBlock,
  InterruptBlock,
  OpenRequest,
  PermissionBlock,
  QuestionBlock,
  RequestType,
  ToolCallBlock,
} from "@turnwire/protocol";
import { detach } from "./detach.ts";

interface Asked<Type extends string, Event extends RequestType> {
  readonly type: Type;
  /** What was asked. */
  readonly request: EventData<Event>;
}

interface Answerable<Response> {
  /** Its correlation or interrupt id. */
  readonly id: string;
  readonly progress: RequestProgress;
  /** Answers it; how that goes is seen in `progress`. */
  readonly respond: (response: Response) => void;
}

/** What goes with an answer, apart from whom it answers. */
type ResponseOf<Type extends OwnCommand["type"]> = Omit<
  CommandOf<Type>,
  "type" | "correlation_id" | "interrupt_id"
>;

type AskedPermission = Asked<"permission", "permission_request">;
type AskedQuestion = Asked<"question", "question_request">;
type AskedHook = Asked<"hook", "hook_request">;
type AskedInterrupt = Asked<"interrupt", "interrupt">;
type AskedToolCall = Asked<"tool_call", "tool_call_request">;

type AnyAsked = AskedPermission | AskedQuestion | AskedHook | AskedInterrupt | AskedToolCall;

export type PermissionRequest = AskedPermission & Answerable<ResponseOf<"permission_response">>;
export type QuestionRequest = AskedQuestion & Answerable<ResponseOf<"question_response">>;
export type HookRequest = AskedHook & Answerable<ResponseOf<"hook_response">>;
export type InterruptRequest = AskedInterrupt & Answerable<ResponseOf<"interrupt_response">>;
export type ToolCallRequest = AskedToolCall & Answerable<ResponseOf<"tool_call_response">>;

/** Something that waits for a person, with the way to answer it. */
export type SessionRequest =
  | PermissionRequest
  | QuestionRequest
  | HookRequest
  | InterruptRequest
  | ToolCallRequest;

/** A block that shows a request, open or ended. */
export type RequestBlock =
  | PermissionBlock
  | QuestionBlock
  | HookBlock
  | InterruptBlock
  | ToolCallBlock;

/** The answerable form of what the log or a block says was asked. */
export function bindRequest(
  session: Session,
  asked: AnyAsked,
  progress: RequestProgress,
): SessionRequest {
  switch (asked.type) {
    case "permission": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: PermissionRequest["respond"] = (response) =>
        detach(session.respondToPermission(id, response));
      return { type, id, request, progress, respond };
    }
    case "question": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: QuestionRequest["respond"] = (response) =>
        detach(session.respondToQuestion(id, response));
      return { type, id, request, progress, respond };
    }
    case "hook": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: HookRequest["respond"] = (response) =>
        detach(session.respondToHook(id, response));
      return { type, id, request, progress, respond };
    }
    case "interrupt": {
      const { type, request } = asked;
      const id = request.interrupt_id;
      const respond: InterruptRequest["respond"] = (response) =>
        detach(session.respondToInterrupt(id, response));
      return { type, id, request, progress, respond };
    }
    case "tool_call": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: ToolCallRequest["respond"] = (response) =>
        detach(session.respondToToolCall(id, response));
      return { type, id, request, progress, respond };
    }
  }
}

/** An open request in the words of blocks. */
export function askedFromEvent(event: OpenRequest): AnyAsked {
  switch (event.type) {
    case "permission_request":
      return { type: "permission", request: event.data };
    case "question_request":
      return { type: "question", request: event.data };
    case "hook_request":
      return { type: "hook", request: event.data };
    case "interrupt":
      return { type: "interrupt", request: event.data };
    case "tool_call_request":
      return { type: "tool_call", request: event.data };
  }
}

/** What a block alone says of its request, for one that ended too long ago to be in the view. */
export function progressFromBlock({ status }: RequestBlock): RequestProgress {
  switch (status) {
    case "open":
      return { status: "requested" };
    case "expired":
      return { status, outcome: status };
    case "answered":
    case "cancelled":
    case "orphaned":
      return { status: "resolved", outcome: status };
  }
}
