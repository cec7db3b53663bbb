/**
 * How a reader stays with a log: states that answer inputs with actions, without any I/O;
 * `connection-step.ts` has the answers, `follow.ts` the I/O.
 * Every event after the starting point is reported once and in order, whatever breaks in between,
 * or a snapshot is reported that covers everything before it.
 */
import type { SessionEvent, SessionState } from "@turnwire/protocol";
import type { ClientError } from "./client-error.ts";

/** An entry of a stream: each has its position, without a gap. */
export interface Sequenced {
  readonly seq: number;
  readonly type: string;
}

/** A state in the log: everything up to and with `seq`, folded. */
export interface Snapshot {
  readonly seq: number;
  readonly epoch: string;
  readonly state: SessionState;
}

/** The server's verdict before any data. Parts are missing where a proxy or CORS hides headers. */
export interface StreamVerdict {
  readonly after?: number;
  readonly epoch?: string;
  readonly head?: number;
  /** False where keepalives do not reach us, so that silence means nothing. */
  readonly hasKeepalive: boolean;
}

/** The content of one chunk of the stream. */
export interface Batch<Event extends Sequenced = SessionEvent> {
  readonly events: readonly Event[];
  /** How long the server asked to stay away after the next end. */
  readonly retryMs?: number;
}

/** The facts that every state has. */
export interface FollowContext {
  readonly after: number;
  readonly epoch?: string;
  readonly onGap: "snapshot" | "fail";
  readonly needsSnapshot: boolean;
  /** A snapshot was taken and nothing good has come since: another one must wait. */
  readonly isSnapshotFresh: boolean;
  /** Failures since the last good connection. */
  readonly attempt: number;
  /** The newest of those failures. */
  readonly error?: ClientError;
  readonly retryMs?: number;
  readonly isOffline: boolean;
}

/** The facts of a state that has a stream. */
export interface Open {
  readonly context: FollowContext;
  readonly openedAt: number;
  readonly heardAt: number;
  /** When the next check of the connection is due; a timer that fires much later was suspended. */
  readonly checkAt: number;
  /** How much silence means a dead line; infinite without keepalives. */
  readonly silenceMs: number;
}

export type ConnectionState =
  | { readonly type: "idle"; readonly context: FollowContext }
  | { readonly type: "connecting"; readonly context: FollowContext }
  | ({ readonly type: "replaying"; readonly head: number } & Open)
  | ({ readonly type: "live" } & Open)
  | {
      readonly type: "waiting";
      readonly context: FollowContext;
      /** Infinite while the page is frozen. */
      readonly retryAt: number;
      /** The server has asked for no request before this time. */
      readonly notBefore: number;
    }
  | { readonly type: "gap"; readonly context: FollowContext }
  | {
      readonly type: "closed";
      readonly context: FollowContext;
      readonly reason: "stopped" | "ended";
    }
  | { readonly type: "failed"; readonly context: FollowContext; readonly error: ClientError };

export type ConnectionInput<Event extends Sequenced = SessionEvent> =
  | { readonly type: "start" }
  | { readonly type: "opened"; readonly verdict: StreamVerdict }
  | { readonly type: "received"; readonly batch: Batch<Event> }
  | { readonly type: "ended" }
  | { readonly type: "failed"; readonly error: ClientError }
  | { readonly type: "snapshot"; readonly snapshot: Snapshot }
  | { readonly type: "timer" }
  | { readonly type: "online" }
  | { readonly type: "offline" }
  | { readonly type: "visible" }
  /** The page stops running, and no line outlives that. */
  | { readonly type: "frozen" }
  | { readonly type: "resumed" }
  /** The timer, while a listener is busy: nothing is read then, so that silence says nothing about the connection. */
  | { readonly type: "busy" }
  | { readonly type: "stop" };

export type ConnectionAction<Event extends Sequenced = SessionEvent> =
  | { readonly type: "open"; readonly after: number; readonly epoch?: string }
  | { readonly type: "take_snapshot" }
  /** Restarts the one timer; an infinite wait is none. */
  | { readonly type: "wait"; readonly ms: number }
  /** Lets go of the stream, the snapshot on its way and the timer. */
  | { readonly type: "cancel" }
  /** Always the last action, so that a listener may stop the connection. */
  | {
      readonly type: "report";
      readonly events: readonly Event[];
      readonly snapshot?: Snapshot;
    };

/** The time and a number from 0 up to, without, 1. */
export interface StepInput {
  readonly now: number;
  readonly random: number;
}

export interface Step<Event extends Sequenced = SessionEvent> {
  readonly state: ConnectionState;
  readonly actions: readonly ConnectionAction<Event>[];
}

export interface StartingPoint {
  /** Without it the state begins with a snapshot. */
  readonly after?: number;
  readonly epoch?: string;
  readonly onGap: "snapshot" | "fail";
}

export function initialConnection({ after, epoch, onGap }: StartingPoint): ConnectionState {
  const context: FollowContext = {
    after: after ?? 0,
    ...(epoch !== undefined && { epoch }),
    onGap,
    needsSnapshot: after === undefined,
    isSnapshotFresh: false,
    attempt: 0,
    isOffline: false,
  };
  return { type: "idle", context };
}
