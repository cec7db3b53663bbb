import { createStore, type ObservableStore } from "@turnwire/base";
import { foldAll, initialState, type SessionState } from "@turnwire/protocol";
import type { ClientError } from "../5-connection/client-error.ts";
import type { ConnectionState } from "../5-connection/connection-state.ts";
import type { Update } from "../5-connection/follow.ts";
import {
  afterEvents,
  afterSnapshot,
  without,
  withAccepted,
  withPending,
  withRefused,
  type Outbox,
} from "./outbox.ts";
import {
  answeringAfter,
  requestsFrom,
  type Answering,
  type AnswerState,
} from "./request-progress.ts";
import { connectionViewFrom, type OutgoingMessage, type SessionView } from "./session-view.ts";

/** The facts that the view is made from; none can be derived from the others. */
interface Parts {
  readonly session: SessionState;
  readonly connection: ConnectionState;
  readonly sending: Outbox;
  readonly answering: Answering;
  readonly cancelledTurnId?: string | undefined;
}

export interface SessionStoreOptions {
  readonly session?: SessionState;
  readonly connection: ConnectionState;
  /** Takes what a listener threw. */
  readonly reportError: (error: unknown) => void;
}

/** Holds a session's view: the fold over its log, and what this client alone knows. Snapshots are immutable. */
export class SessionStore {
  readonly #view: ObservableStore<SessionView>;
  #parts: Parts;

  constructor({ session = initialState(), connection, reportError }: SessionStoreOptions) {
    this.#parts = { session, connection, sending: {}, answering: {} };
    const view: SessionView = {
      session,
      connection: connectionViewFrom(connection),
      sending: {},
      requests: requestsFrom(session, {}, {}),
      isCancelling: false,
    };
    this.#view = createStore(view, { onListenerError: reportError });
  }

  /** The same object until something changes. */
  getState(): SessionView {
    return this.#view.get();
  }

  /** Calls the listener after each change, once for all that one chunk brought. */
  subscribe(listener: () => void): () => void {
    return this.#view.subscribe(listener);
  }

  /** Calls the listener when the selected value has become another one. */
  select<Value>(
    selector: (view: SessionView) => Value,
    listener: (value: Value) => void,
  ): () => void {
    let selected = selector(this.#view.get());
    return this.subscribe(() => {
      const next = selector(this.#view.get());
      if (Object.is(next, selected)) return;
      selected = next;
      listener(next);
    });
  }

  /** Takes in what following the session brought. */
  update({ connection, events, snapshot }: Update): void {
    const { session, sending, answering } = this.#parts;
    const base = snapshot ? snapshot.state : session;
    const known = snapshot ? afterSnapshot(sending, base) : sending;
    const next = foldAll(base, events);
    this.#set({
      connection,
      session: next,
      sending: afterEvents(known, events),
      answering: answeringAfter(answering, session, next),
    });
  }

  pending(message: Omit<OutgoingMessage, "status">): void {
    this.#set({ sending: withPending(this.#parts.sending, message) });
  }

  accepted(clientMessageId: string, seq: number): void {
    const { sending, session } = this.#parts;
    this.#set({ sending: withAccepted(sending, clientMessageId, { seq, reached: session.seq }) });
  }

  refused(clientMessageId: string, error: ClientError): void {
    this.#set({ sending: withRefused(this.#parts.sending, clientMessageId, error) });
  }

  discard(clientMessageId: string): void {
    this.#set({ sending: without(this.#parts.sending, clientMessageId) });
  }

  answering(requestId: string, answer: AnswerState): void {
    this.#set({ answering: { ...this.#parts.answering, [requestId]: answer } });
  }

  /** Names the turn that this client has asked to stop; undefined takes it back. */
  cancelling(turnId: string | undefined): void {
    this.#set({ cancelledTurnId: turnId });
  }

  #set(changes: Partial<Parts>): void {
    const before = this.#parts;
    this.#parts = { ...before, ...changes };
    const view = this.#view.get();
    const next = viewFrom(this.#parts, before, view);
    if (!isSame(next, view)) this.#view.set(next);
  }
}

function viewFrom(parts: Parts, before: Parts, view: SessionView): SessionView {
  const { session, connection, sending, answering, cancelledTurnId } = parts;
  const isSameRequests =
    session.requests === before.session.requests &&
    session.outcomes === before.session.outcomes &&
    answering === before.answering;
  const nextConnection = connectionViewFrom(connection);
  return {
    session,
    connection: isSame(nextConnection, view.connection) ? view.connection : nextConnection,
    sending,
    requests: isSameRequests ? view.requests : requestsFrom(session, answering, view.requests),
    isCancelling: cancelledTurnId !== undefined && session.turn?.turn_id === cancelledTurnId,
  };
}

/** Compares field by field; fields that one side lacks count as undefined. */
function isSame<Value extends object>(left: Value, right: Value): boolean {
  const fields = new Set([...Object.keys(left), ...Object.keys(right)]) as Set<keyof Value>;
  return [...fields].every((field) => Object.is(left[field], right[field]));
}
