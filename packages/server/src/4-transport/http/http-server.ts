import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { limits, type WireError } from "@turnwire/protocol";
import { refused } from "@turnwire/wire";
import { sendOnSocket, sendResponse } from "./http-response.ts";

export interface HttpServerOptions {
  readonly requestTimeoutMs: number;
  /** False for a request that is not ours. */
  readonly handle: (incoming: IncomingMessage, outgoing: ServerResponse) => boolean;
  /** The same for an upgrade. */
  readonly upgrade: (incoming: IncomingMessage, socket: Duplex, head: Buffer) => boolean;
  /** The answer to what is not ours. */
  readonly elsewhere: () => WireError;
  /** Bytes that are not a request. */
  readonly onGarbage: (error: Error & { code?: string }, socket: Socket) => void;
}

/** Node's HTTP server with our limits, which can be closed while connections are open that nothing was asked on. */
export class HttpServer {
  readonly node: Server;
  /** Connections on which nothing was ever asked: Node does not count them as idle, so closing would wait for them. */
  readonly #unused = new Set<Socket>();

  constructor(options: HttpServerOptions) {
    const { handle, upgrade, elsewhere, onGarbage } = options;
    const server = createServer({
      // A request without Host gets our own 421.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: options.requestTimeoutMs,
    });
    this.node = server;
    server.on("connection", (socket) => {
      this.#unused.add(socket);
      socket.once("close", () => this.#unused.delete(socket));
    });
    server.on("request", (incoming, outgoing) => {
      this.#unused.delete(incoming.socket);
      if (!handle(incoming, outgoing)) sendResponse(outgoing, refused(elsewhere()));
    });
    server.on("upgrade", (incoming, socket, head) => {
      this.#unused.delete(incoming.socket);
      if (!upgrade(incoming, socket, head)) {
        sendOnSocket(incoming.socket, refused(elsewhere()));
      }
    });
    server.on("clientError", (error, socket) => {
      if (socket instanceof Socket) onGarbage(error, socket);
      else socket.destroy();
    });
  }

  /** Accepts nothing more; resolves when the last connection is closed. */
  close(): Promise<void> {
    const closed = new Promise<void>((resolve) => {
      this.node.close(() => resolve());
    });
    for (const socket of this.#unused) socket.destroy();
    return closed;
  }
}
