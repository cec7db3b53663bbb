import type { Delivery, MessageContent, Outcome, SessionState } from "@turnwire/protocol";
import type { ClientError } from "../5-connection/client-error.ts";
import type { ConnectionState } from "../5-connection/connection-state.ts";

/** The status of the connection to the server. */
export interface ConnectionView {
  readonly status: ConnectionState["type"];
  /** Failures since the last good connection. */
  readonly attempt: number;
  readonly error?: ClientError;
  /** When the next try is due, in milliseconds of the platform's clock. */
  readonly retryAt?: number;
}

/** A message of this client on its way into the log. */
export interface OutgoingMessage {
  readonly client_message_id: string;
  readonly content: MessageContent;
  /** How it will be delivered, as far as this client knows: the log has the last word. */
  readonly delivery: Delivery;
  /** pending: not yet seen in the log; sent: it is in the log; failed: the server does not have it, as far as we know. */
  readonly status: "pending" | "sent" | "failed";
  /** Its place in the log, once the server has reported it. */
  readonly seq?: number;
  readonly error?: ClientError;
}

/** How far a request has come, as this client sees it. */
export interface RequestProgress {
  /** conflict: this client answered, but another answer was first. */
  readonly status: "requested" | "responding" | "resolved" | "conflict" | "expired";
  /** How it ended; missing while it is open. */
  readonly outcome?: Outcome;
  /** Why this client's last answer was not taken. */
  readonly error?: ClientError;
}

/** Everything a UI shows of a session. A part that did not change is the same object as before. */
export interface SessionView {
  readonly session: SessionState;
  readonly connection: ConnectionView;
  /** By `client_message_id`, oldest first. */
  readonly sending: Readonly<Record<string, OutgoingMessage>>;
  /** By correlation or interrupt id. */
  readonly requests: Readonly<Record<string, RequestProgress>>;
  /** This client asked the running turn to stop, and it has not ended yet. */
  readonly isCancelling: boolean;
}

/** The connection as a view: an open one shows no old failures. */
export function connectionViewFrom(state: ConnectionState): ConnectionView {
  const { context } = state;
  switch (state.type) {
    case "replaying":
    case "live":
      return { status: state.type, attempt: 0 };
    case "failed":
      return { status: state.type, attempt: context.attempt, error: state.error };
    case "waiting":
      return { ...unsettled(state), retryAt: state.retryAt };
    case "idle":
    case "connecting":
    case "gap":
    case "closed":
      return unsettled(state);
  }
}

function unsettled({ type, context }: ConnectionState): ConnectionView {
  const { attempt, error } = context;
  return { status: type, attempt, ...(error && { error }) };
}
