import {
  type closeCode,
  type Result,
  type Owned,
  type Principal,
  canReach,
} from "@turnwire/protocol";
import type { Dialect } from "./dialect.ts";
import type { FrameSource } from "./frame-source.ts";
import type { OpenSession } from "./open-session.ts";

/** Why a WebSocket is closed: each reason has a code. */
export type CloseReason = keyof typeof closeCode;

/** Why an open connection may not continue. changed: a new one would see other things. */
export type RightsEnd = "unauthorized" | "unknownSession" | "changed";

/** Why there are no more events. gone: they were removed before the reader had them; failed: the log could not be read. */
export type FollowEnd = "closed" | "released" | "gone" | "failed";

/** An admitted WebSocket. What its peer sends waits until it is connected. */
export interface SocketPeer {
  connect(options: ConnectionOptions): Connection;
  /** Instead of connecting it. */
  close(reason: CloseReason, text?: string): void;
}

export interface ConnectionOptions {
  /** Why a principal may not stay connected; checked before everything that it asks for, and regularly. */
  readonly check: (principal: Principal) => RightsEnd | undefined;
  /** Handles a message; the next one waits until it is done. */
  readonly receive?: (bytes: Uint8Array, isBinary: boolean) => Promise<void>;
  /** The peer has left, and everything that it sent has been handled. */
  readonly onLeft?: () => void;
}

export interface FollowedSession {
  readonly session: OpenSession;
  readonly after: number;
  readonly dialect: Dialect;
  /** line: each message ends with a line break, for clients that split a stream into lines. */
  readonly framing?: "message" | "line";
  /** A message that keeps an otherwise silent connection open where clients cannot see pings. */
  readonly keepalive?: string;
  readonly onEnd: (reason: FollowEnd) => void;
}

export interface ServedFrames {
  readonly frames: FrameSource;
  readonly after: number;
  /** How the bytes are framed, for the metrics. */
  readonly transport: string;
  readonly keepalive?: Buffer;
  readonly onEnd: (reason: FollowEnd) => void;
  /** Lets go of the frames; may be called twice. */
  readonly release: () => void;
}

/**
 * One WebSocket peer. Promises: its messages are handled one after the other; replies never
 * interrupt an event that is being written; a peer that stops reading, stops answering pings or
 * loses its rights is disconnected, and gets nothing more.
 */
export interface Connection {
  /** Settles when the socket is closed. */
  readonly closed: Promise<void>;
  /** Sends a reply between two events. */
  send(text: string): void;
  /** Sends a message, and resolves when there is room for the next; rejects where it cannot be sent any more. */
  write(text: string): Promise<void>;
  /** Sends what comes before the first event, however much it is. */
  sendOpening(texts: Iterable<string>): void;
  /** Sends the events of a session from now on. */
  follow(session: FollowedSession): void;
  /** The same for frames that are not those of one session, until the socket is closed. */
  serve(frames: ServedFrames): void;
  /** Sends no more events once the one that is being written has ended; the connection stays open. */
  leave(): Promise<void>;
  /**
   * Does something with the rights that the peer has at this moment; an error that is thrown is
   * reported and becomes the outcome. Undefined when the peer was disconnected instead.
   */
  act<T>(work: (principal: Principal) => Promise<Result<T>>): Promise<Result<T> | undefined>;
  /** With one of our reasons, or with a code that the peer's own protocol has. */
  close(reason: CloseReason | number, text?: string): void;
}

/** The check of a connection that follows one session. */
export function reaching(session: Owned): ConnectionOptions["check"] {
  return (principal) => (canReach(principal, session) ? undefined : "unknownSession");
}

/** The check of a connection that sees exactly what its principal may see. */
export function unchanged(first: Principal): ConnectionOptions["check"] {
  return ({ id, isAdmin }) =>
    id === first.id && isAdmin === first.isAdmin ? undefined : "changed";
}
