import type { IncomingMessage } from "node:http";
import type { HttpResponse } from "./http-response.ts";
import type { SocketRoute } from "./socket-route.ts";

/**
 * A port that a wire has for itself, on this machine only: for clients that look for it there. The
 * server opens it when it listens, lets in whom it would let in itself, and closes it with itself.
 */
export interface WireListener {
  /** Tried in this order until one is free; 0 is any free one. */
  readonly ports: Iterable<number>;
  readonly sockets: readonly SocketRoute[];
  readonly maxFrameBytes: number;
  /** Answers what is not an upgrade, to anybody whose page may be here: no credential was asked for. */
  answer(incoming: IncomingMessage): HttpResponse;
  onListening(port: number): void;
}
