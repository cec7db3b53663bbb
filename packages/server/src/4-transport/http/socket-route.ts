import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { WebSocket } from "ws";
import type { Result } from "@turnwire/protocol";
import type { Principal } from "../../0-storage/principal.ts";

/** An admitted upgrade. */
export interface SocketCall {
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
}

/** A connection that speaks WebSocket; whole frames may also be written to its socket directly. */
export interface SocketPeer {
  readonly websocket: WebSocket;
  readonly socket: Socket;
  /** The request that was upgraded. */
  readonly incoming: IncomingMessage;
  /** Who the connection belongs to by now; undefined when it would not be admitted any more. */
  currentPrincipal(): Promise<Principal | undefined>;
}

/** A path that is upgraded to a WebSocket. */
export interface SocketRoute {
  readonly path: `/${string}`;
  readonly summary: string;
  /** Refuses before the handshake, or answers with what runs after it. */
  prepare(call: SocketCall): Result<(peer: SocketPeer) => Promise<void>>;
}
