import { requestId, type OpenRequest } from "@turnwire/protocol";
import type { RequestProgress, SessionView } from "../6-session/session-view.ts";
import type { Session } from "../6-session/session.ts";
import { ignoreRejection } from "./ignore-rejection.ts";
import type {
  BudgetRequest,
  HookRequest,
  InterruptRequest,
  PermissionRequest,
  QuestionRequest,
  RequestBlock,
  SessionRequest,
  ToolCallRequest,
} from "./session-request.ts";
import type { WithSession } from "./with-session.ts";

/** What was asked: a part of a block, or of an event in the words of blocks. */
type Asked = SessionRequest extends infer Any
  ? Any extends SessionRequest
    ? Pick<Any, "type" | "request">
    : never
  : never;

type ListRequests = (
  open: SessionView["session"]["requests"],
  progressById: SessionView["requests"],
) => readonly SessionRequest[];

const requested: RequestProgress = { status: "requested" };

/** Lists open requests, oldest first. One that did not change since an earlier list is the same object. */
export function createRequestList(withSession: WithSession): ListRequests {
  const known = new WeakMap<OpenRequest, SessionRequest>();
  return (open, progressById) =>
    Object.values(open).map((event) => {
      const progress = progressById[requestId(event)] ?? requested;
      const before = known.get(event);
      if (before?.progress === progress) return before;
      const request = bindRequest(askedFrom(event), progress, withSession);
      known.set(event, request);
      return request;
    });
}

/** The id of the request that a block shows. */
export function requestIdOf(block: RequestBlock): string {
  return block.type === "interrupt" ? block.interrupt_id : block.correlation_id;
}

/** The request that a block shows; the view knows no progress of one that ended long ago. */
export function requestFromBlock(
  block: RequestBlock,
  progress: RequestProgress | undefined,
  withSession: WithSession,
): SessionRequest {
  return bindRequest(block, progress ?? progressFrom(block), withSession);
}

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
    case "budget_request":
      return { type: "budget", request: event.data };
  }
}

function bindRequest(
  asked: Asked,
  progress: RequestProgress,
  withSession: WithSession,
): SessionRequest {
  const run = (answer: (session: Session) => Promise<unknown>): void =>
    ignoreRejection(withSession(answer));
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
    case "budget": {
      const { type, request } = asked;
      const id = request.correlation_id;
      const respond: BudgetRequest["respond"] = (response) =>
        run((session) => session.respondToBudget(id, response));
      return { type, id, request, progress, respond };
    }
  }
}
