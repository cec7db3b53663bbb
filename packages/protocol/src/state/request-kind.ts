import type { CommandOf, CommandType } from "../command/command.ts";
import type { EventType, SessionEventOf } from "../event/event.ts";

interface RequestKindFacts {
  /** The event that asks. */
  readonly request: EventType;
  /** The event that reports how it ended. */
  readonly resolved: EventType;
  /** The command that answers. */
  readonly response: CommandType;
  /** The field that has the request's id, in all three. */
  readonly id: "correlation_id" | "interrupt_id";
  /** What `resolved` repeats of the answer as it is. */
  readonly answer: readonly string[];
  /** A request of the agent ends with its turn; one of the session stays open, does not expire, and no agent can make it. An interrupt with `by` is asked by a program. */
  readonly askedBy: "agent" | "session";
  /** A page can answer without a person, also while a turn runs unattended. */
  readonly answeredBy: "person" | "page";
}

/** Everything that can be asked of a person or a page, by the type of its block: the one list of it. */
export const requestKinds = {
  permission: {
    request: "permission_request",
    resolved: "permission_resolved",
    response: "permission_response",
    id: "correlation_id",
    answer: ["message"],
    askedBy: "agent",
    answeredBy: "person",
  },
  question: {
    request: "question_request",
    resolved: "question_resolved",
    response: "question_response",
    id: "correlation_id",
    answer: ["answers"],
    askedBy: "agent",
    answeredBy: "person",
  },
  hook: {
    request: "hook_request",
    resolved: "hook_resolved",
    response: "hook_response",
    id: "correlation_id",
    answer: ["decision"],
    askedBy: "agent",
    answeredBy: "person",
  },
  interrupt: {
    request: "interrupt",
    resolved: "interrupt_resolved",
    response: "interrupt_response",
    id: "interrupt_id",
    answer: ["value"],
    askedBy: "agent",
    answeredBy: "person",
  },
  tool_call: {
    request: "tool_call_request",
    resolved: "tool_call_resolved",
    response: "tool_call_response",
    id: "correlation_id",
    answer: ["output", "is_error"],
    askedBy: "agent",
    answeredBy: "page",
  },
  budget: {
    request: "budget_request",
    resolved: "budget_resolved",
    response: "budget_response",
    id: "correlation_id",
    answer: ["decision"],
    askedBy: "session",
    answeredBy: "person",
  },
} as const satisfies Readonly<Record<string, RequestKindFacts>>;

type Kinds = typeof requestKinds;

export type RequestKind = keyof Kinds;
export type RequestTypeOf<Kind extends RequestKind> = Kinds[Kind]["request"];
export type ResolutionTypeOf<Kind extends RequestKind> = Kinds[Kind]["resolved"];
export type AnswerTypeOf<Kind extends RequestKind> = Kinds[Kind]["response"];
export type RequestIdOf<Kind extends RequestKind> = Kinds[Kind]["id"];

/** The kinds of requests that an agent makes. */
export type AgentRequestKind = {
  [Kind in RequestKind]: Kinds[Kind]["askedBy"] extends "agent" ? Kind : never;
}[RequestKind];

type AgentRequestType = RequestTypeOf<AgentRequestKind> | ResolutionTypeOf<AgentRequestKind>;

/** The event types that ask something. */
export type RequestType = RequestTypeOf<RequestKind>;
/** The event types that end a request. */
export type ResolutionType = ResolutionTypeOf<RequestKind>;
export type Resolution = { [Type in ResolutionType]: SessionEventOf<Type> }[ResolutionType];
/** The commands that answer a request of such a kind. */
export type AnswerTo<Kind extends RequestKind> = CommandOf<AnswerTypeOf<Kind>>;
/** A command that answers a request. */
export type AnswerCommand = { [Kind in RequestKind]: AnswerTo<Kind> }[RequestKind];

export const requestKindNames = Object.keys(requestKinds) as RequestKind[];
export const requestTypes = requestKindNames.map((kind) => requestKinds[kind].request);
export const resolutionTypes = requestKindNames.map((kind) => requestKinds[kind].resolved);

const kindByRequest = kindsBy("request");
const kindByResolution = kindsBy("resolved");

function kindsBy(column: "request" | "resolved"): ReadonlyMap<string, RequestKind> {
  return new Map(requestKindNames.map((kind) => [requestKinds[kind][column], kind]));
}

interface Typed {
  readonly type: string;
}

/** Whether an event or a draft asks something. */
export function isRequest<Of extends Typed>(
  of: Of,
): of is Extract<Of, { readonly type: RequestType }> {
  return kindByRequest.has(of.type);
}

/** Whether an event or a draft ends a request. */
export function isResolution<Of extends Typed>(
  of: Of,
): of is Extract<Of, { readonly type: ResolutionType }> {
  return kindByResolution.has(of.type);
}

/** Whether a block shows a request, open or ended. */
export function isRequestBlock<Of extends Typed>(
  of: Of,
): of is Extract<Of, { readonly type: RequestKind }> {
  return Object.hasOwn(requestKinds, of.type);
}

/** The kind of a request, or of its end. */
export function requestKindOf({
  type,
}: {
  readonly type: RequestType | ResolutionType;
}): RequestKind {
  const kind = kindByRequest.get(type) ?? kindByResolution.get(type);
  if (kind === undefined) throw new TypeError(`${type} belongs to no request`);
  return kind;
}

/** Whether an agent asked, and waits for the answer; of the end of a request, whether one may have asked. */
export function isAskedByAgent<Of extends { readonly type: RequestType | ResolutionType }>(
  of: Of,
): of is Extract<Of, { readonly type: AgentRequestType }> {
  return requestKinds[requestKindOf(of)].askedBy === "agent" && !isAskedByProgram(of);
}

/** Whether a program asked, by the command `ask`. */
export function isAskedByProgram(of: { readonly type: string; readonly data?: object }): boolean {
  return of.type === "interrupt" && of.data !== undefined && "by" in of.data;
}

type Identified = { readonly interrupt_id: string } | { readonly correlation_id: string };

/** The id of a request: of its events and drafts, of the command that answers it and of the block that shows it. */
export function requestId(of: Identified | { readonly data: Identified }): string {
  const identified = "data" in of ? of.data : of;
  return "interrupt_id" in identified ? identified.interrupt_id : identified.correlation_id;
}
