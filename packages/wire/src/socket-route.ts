import type { IncomingMessage } from "node:http";
import type { Result, Principal } from "@turnwire/protocol";
import type { SocketPeer } from "./connection.ts";
import type { RouteRight } from "./route.ts";

/** An admitted upgrade. */
export interface SocketCall {
  readonly principal: Principal;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly incoming: IncomingMessage;
}

/** A path that is upgraded to a WebSocket; the server's own routes see more of the peer than a wire does. */
export interface SocketRoute<Peer = SocketPeer> extends Pick<RouteRight, "isNarrowed"> {
  readonly path: `/${string}`;
  readonly summary: string;
  /** read: also those who may only read can connect; what they ask of `Connection.act` is refused. */
  readonly access: "read" | "operate";
  /** Refuses before the handshake, or answers with what runs after it. */
  prepare(call: SocketCall): Result<(peer: Peer) => Promise<void> | void>;
}
