import type { RequestProgress, Session } from "@turnwire/client";
import {
  requestId,
  type Control,
  type EventData,
  type HookBlock,
  type InterruptBlock,
  type OpenRequest,
  type PermissionBlock,
  type QuestionBlock,
  type RequestType,
  type ToolCallBlock,
} from "@turnwire/protocol";
import { detach } from "./detach.ts";

interface Request<Type extends string, Event extends RequestType, Response> {
  readonly type: Type;
  /** Its correlation or interrupt id. */
  readonly id: string;
  /** What was asked. */
  readonly request: EventData<Event>;
  readonly progress: RequestProgress;
  /** Answers it; how that goes is seen in `progress`. */
  readonly respond: (response: Response) => void;
}

type ResponseTo<Method extends keyof Session> = Session[Method] extends (
  id: string,
  response: infer Response,
) => unknown
  ? Response
  : never;

export type PermissionRequest = Request<
  "permission",
  "permission_request",
  ResponseTo<"respondToPermission">
>;
export type QuestionRequest = Request<
  "question",
  "question_request",
  ResponseTo<"respondToQuestion">
>;
export type HookRequest = Request<"hook", "hook_request", ResponseTo<"respondToHook">>;
export type InterruptRequest = Request<"interrupt", "interrupt", ResponseTo<"respondToInterrupt">>;
export type ToolCallRequest = Request<
  "tool_call",
  "tool_call_request",
  ResponseTo<"respondToToolCall">
>;

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

/** Runs a command on the session that requests and messages belong to. */
export type WithSession = <Answer>(run: (session: Session) => Promise<Answer>) => Promise<Answer>;

/** What was asked: a part of a block, or of an event in the words of blocks. */
type Asked = SessionRequest extends infer Any
  ? Any extends SessionRequest
    ? Pick<Any, "type" | "request">
    : never
  : never;

type ProgressById = Readonly<Record<string, RequestProgress>>;

const requested: RequestProgress = { status: "requested" };

/** Lists open requests, oldest first. One that did not change since the last list is the same object. */
export function createRequestList(
  withSession: WithSession,
): (open: Control["requests"], progress: ProgressById) => readonly SessionRequest[] {
  let known = new Map<OpenRequest, SessionRequest>();
  return (open, progressById) => {
    const next = Object.values(open).map((event) => {
      const progress = progressById[requestId(event)] ?? requested;
      const before = known.get(event);
      const isSame = before?.progress === progress;
      return [
        event,
        isSame ? before : boundRequest(askedFrom(event), progress, withSession),
      ] as const;
    });
    known = new Map(next);
    return next.map(([, request]) => request);
  };
}

/** The request that a block shows. */
export function requestFromBlock(
  block: RequestBlock,
  progressById: ProgressById,
  withSession: WithSession,
): SessionRequest {
  const id = block.type === "interrupt" ? block.interrupt_id : block.correlation_id;
  return boundRequest(block, progressById[id] ?? progressFrom(block), withSession);
}

/** What a block alone says, for a request that ended too long ago to be in the view. */
function progressFrom({ status }: RequestBlock): RequestProgress {
  switch (status) {
    case "open":
      return requested;
    case "expired":
      return { status, outcome: status };
    case "answered":
    case "cancelled":
    case "orphaned":
      return { status: "resolved", outcome: status };
  }
}

function askedFrom(event: OpenRequest): Asked {
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

function boundRequest(
  asked: Asked,
  progress: RequestProgress,
  withSession: WithSession,
): SessionRequest {
  const run = (answer: (session: Session) => Promise<unknown>): void => detach(withSession(answer));
  switch (asked.type) {
    case "permission": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: PermissionRequest["respond"] = (response) =>
        run((session) => session.respondToPermission(id, response));
      return { type, id, request, progress, respond };
    }
    case "question": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: QuestionRequest["respond"] = (response) =>
        run((session) => session.respondToQuestion(id, response));
      return { type, id, request, progress, respond };
    }
    case "hook": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: HookRequest["respond"] = (response) =>
        run((session) => session.respondToHook(id, response));
      return { type, id, request, progress, respond };
    }
    case "interrupt": {
      const { type, request } = asked;
      const id = request.interrupt_id;
      const respond: InterruptRequest["respond"] = (response) =>
        run((session) => session.respondToInterrupt(id, response));
      return { type, id, request, progress, respond };
    }
    case "tool_call": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: ToolCallRequest["respond"] = (response) =>
        run((session) => session.respondToToolCall(id, response));
      return { type, id, request, progress, respond };
    }
  }
}
