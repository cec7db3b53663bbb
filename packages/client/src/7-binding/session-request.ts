import type {
  BudgetBlock,
  EventData,
  HookBlock,
  InterruptBlock,
  PermissionBlock,
  QuestionBlock,
  RequestType,
  ToolCallBlock,
} from "@turnwire/protocol";
import type { RequestProgress } from "../6-session/session-view.ts";
import type { Session } from "../6-session/session.ts";

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
export type BudgetRequest = Request<"budget", "budget_request", ResponseTo<"respondToBudget">>;

/** Something that waits for a person, with the way to answer it. */
export type SessionRequest =
  | PermissionRequest
  | QuestionRequest
  | HookRequest
  | InterruptRequest
  | ToolCallRequest
  | BudgetRequest;

/** A block that shows a request, open or ended. */
export type RequestBlock =
  | PermissionBlock
  | QuestionBlock
  | HookBlock
  | InterruptBlock
  | ToolCallBlock
  | BudgetBlock;
