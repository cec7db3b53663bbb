import {
  context,
  type Context,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import type { Clock } from "@turnwire/base";
import {
  type Control,
  isRequest,
  isResolution,
  type OpenRequest,
  requestId,
  requestKindOf,
  type Resolution,
  type SessionEvent,
  type SessionEventOf,
} from "@turnwire/protocol";
import { StoreError } from "@turnwire/log";
import {
  bounded,
  requestAttributes,
  resultAttributes,
  toolAttributes,
  turnAttributes,
} from "./span-attributes.ts";

/** Goes nowhere unless whoever runs this process has registered an SDK. */
const tracer = trace.getTracer("@turnwire/server");

interface OpenTurn {
  readonly id: string;
  readonly span: Span;
  /** The newest error that was reported in it, until a result says how it ended. */
  failure: string | undefined;
}

export interface SessionTraceOptions {
  /** What the session is when this process gets it: a turn and requests of an earlier one may be open. */
  readonly control: Control;
  readonly clock: Clock;
}

/**
 * A session's spans, made from what was committed: turns, tools, requests and the commits themselves.
 * A turn is a child of the request that brought its message, where that is traced; tools are children
 * of their turn, or of the tool that started their sub-agent; requests of the tool that they are about.
 */
export class SessionTrace {
  readonly #clock: Clock;
  /** What is known of the session: who answers, which model. */
  #control: Control;
  #turn: OpenTurn | undefined;
  readonly #tools = new Map<string, Span>();
  readonly #requests = new Map<string, Span>();
  /** The contexts in which messages were accepted that wait for their turn. */
  readonly #causes = new Map<string, Context>();

  constructor({ control, clock }: SessionTraceOptions) {
    this.#clock = clock;
    this.#control = control;
    if (control.turn) this.#startTurn(control.turn.turn_id, new Date(control.turn.started_at));
    for (const request of Object.values(control.requests)) this.#startRequest(request);
  }

  /** `control` is the state with these events; `ms` how long the store took to write them. */
  commit(events: readonly SessionEvent[], ms: number, control: Control): void {
    this.#control = control;
    const before = this.#turn;
    for (const event of events) this.#observe(event);
    const span = this.#startCommit(before ?? this.#turn, ms);
    span.setAttributes({
      "turnwire.commit.events": events.length,
      "turnwire.commit.last_seq": events.at(-1)?.seq ?? 0,
    });
    span.end(this.#now());
  }

  /** A commit failed, after `ms`. */
  fail(error: unknown, ms: number): void {
    const span = this.#startCommit(this.#turn, ms);
    setFailed(span, error instanceof StoreError ? error.code : "unavailable");
    span.end(this.#now());
  }

  /** The session leaves this process: nothing more will be known of what is open. */
  end(): void {
    this.#causes.clear();
    const open = [...this.#requests.values(), ...this.#tools.values()];
    if (this.#turn) open.push(this.#turn.span);
    for (const span of open) this.#endUnfinished(span, this.#now());
    this.#requests.clear();
    this.#tools.clear();
    this.#turn = undefined;
  }

  #observe(event: SessionEvent): void {
    const at = new Date(event.ts);
    switch (event.type) {
      case "user_message":
        if (event.data.delivery !== "steer") this.#rememberCause(event.data.message_id);
        return;
      case "message_cancelled":
        return void this.#causes.delete(event.data.message_id);
      case "turn_started":
        return this.#startTurn(event.data.turn_id, at, event.data.message_id);
      case "result":
        return this.#noteResult(event);
      case "error":
        return this.#noteError(event);
      case "done":
        return this.#endTurn(event, at);
      case "tool_start":
        return this.#startTool(event, at);
      case "tool_result":
        return this.#endTool(event, at);
      default:
        if (isRequest(event)) this.#startRequest(event);
        else if (isResolution(event)) this.#endRequest(event, at);
    }
  }

  /** A commit continues in the context of whoever asked for it. */
  #rememberCause(messageId: string): void {
    const active = context.active();
    if (trace.getSpanContext(active)) this.#causes.set(messageId, active);
  }

  #startTurn(turnId: string, startTime: Date, messageId?: string): void {
    const cause = messageId === undefined ? undefined : this.#causes.get(messageId);
    if (messageId !== undefined) this.#causes.delete(messageId);
    const { runtime } = this.#control.session;
    const attributes = turnAttributes(this.#control, turnId);
    const options = { startTime, attributes };
    const span = tracer.startSpan(`invoke_agent ${runtime}`, options, cause ?? ROOT_CONTEXT);
    this.#turn = { id: turnId, span, failure: undefined };
  }

  #noteResult({ data }: SessionEventOf<"result">): void {
    const turn = this.#turn;
    if (turn?.id !== data.turn_id) return;
    turn.span.setAttributes(resultAttributes(data));
    turn.failure = data.is_error ? (turn.failure ?? data.subtype) : undefined;
  }

  #noteError(event: SessionEventOf<"error">): void {
    const turn = this.#turn;
    if (turn === undefined || turn.id !== event.turn_id) return;
    turn.failure = event.data.code;
    const attributes = { "error.type": bounded(event.data.code) };
    turn.span.addEvent("error", attributes, new Date(event.ts));
  }

  #endTurn({ data }: SessionEventOf<"done">, at: Date): void {
    const turn = this.#turn;
    if (turn?.id !== data.turn_id) return;
    for (const span of this.#tools.values()) this.#endUnfinished(span, at);
    this.#tools.clear();
    if (data.stopped === true) turn.span.setAttribute("turnwire.turn.is_stopped", true);
    else if (turn.failure !== undefined) setFailed(turn.span, turn.failure);
    turn.span.end(at);
    this.#turn = undefined;
  }

  #startTool({ data, subagent_id }: SessionEventOf<"tool_start">, startTime: Date): void {
    if (this.#tools.has(data.tool_use_id)) return;
    const attributes = toolAttributes(this.#control.session.session_id, data);
    const options = { startTime, attributes };
    const span = tracer.startSpan(
      `execute_tool ${bounded(data.tool)}`,
      options,
      this.#contextOf(subagent_id),
    );
    this.#tools.set(data.tool_use_id, span);
  }

  #endTool({ data }: SessionEventOf<"tool_result">, at: Date): void {
    const span = this.#tools.get(data.tool_use_id);
    if (!span) return;
    this.#tools.delete(data.tool_use_id);
    if (data.is_error) setFailed(span, "tool_error");
    span.end(at);
  }

  #startRequest(request: OpenRequest): void {
    const id = requestId(request);
    if (this.#requests.has(id)) return;
    const options = {
      startTime: new Date(request.ts),
      attributes: requestAttributes(this.#control.session.session_id, request),
    };
    const toolUseId = "tool_use_id" in request.data ? request.data.tool_use_id : undefined;
    const parent = this.#contextOf(toolUseId, request.subagent_id);
    this.#requests.set(id, tracer.startSpan(`request ${requestKindOf(request)}`, options, parent));
  }

  #endRequest(event: Resolution, at: Date): void {
    const id = requestId(event);
    const span = this.#requests.get(id);
    if (!span) return;
    this.#requests.delete(id);
    const { outcome } = event.data;
    span.setAttribute("turnwire.request.outcome", outcome);
    if (event.type === "permission_resolved") {
      span.setAttribute("turnwire.request.is_allowed", event.data.allowed);
    }
    if (outcome === "orphaned") setFailed(span, outcome);
    span.end(at);
  }

  #startCommit(turn: OpenTurn | undefined, ms: number): Span {
    const options = {
      startTime: new Date(this.#clock.now() - ms),
      attributes: { "gen_ai.conversation.id": this.#control.session.session_id },
    };
    const parent = turn ? trace.setSpan(ROOT_CONTEXT, turn.span) : context.active();
    return tracer.startSpan("commit", options, parent);
  }

  /** Below the first of these tool uses that runs, else below the turn. */
  #contextOf(...toolUseIds: readonly (string | undefined)[]): Context {
    const tool = toolUseIds
      .map((id) => (id === undefined ? undefined : this.#tools.get(id)))
      .find((span) => span !== undefined);
    const parent = tool ?? this.#turn?.span;
    return parent ? trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
  }

  #endUnfinished(span: Span, at: Date): void {
    span.setAttribute("turnwire.is_unfinished", true);
    span.end(at);
  }

  #now(): Date {
    return new Date(this.#clock.now());
  }
}

function setFailed(span: Span, type: string): void {
  span.setAttribute("error.type", bounded(type));
  span.setStatus({ code: SpanStatusCode.ERROR, message: bounded(type) });
}
