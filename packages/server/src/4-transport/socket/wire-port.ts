import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { limits, type WireError } from "@turnwire/protocol";
import { refused, type WireListener } from "@turnwire/wire";
import type { Authenticator } from "../auth/auth.ts";
import { Gate } from "../auth/gate.ts";
import { bind } from "../http/bind.ts";
import { Guard } from "../http/guard.ts";
import { securityHeaders, sendResponse } from "../http/http-response.ts";
import { TransportError } from "../http/transport-error.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { Upgrader } from "./upgrade.ts";

const HOST = "127.0.0.1";

/** The parts that the port of a wire shares with that of the server. */
export interface WirePortOptions {
  readonly hub: ReaderHub;
  readonly authenticator: Authenticator;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Why no one can connect now. */
  readonly refusal: () => WireError | undefined;
  readonly onError: (error: unknown) => void;
}

/** A port that a wire has for itself, on this machine only, with the gate of the server. */
export class WirePort {
  readonly #listener: WireListener;
  readonly #guard: Guard;
  readonly #upgrader: Upgrader;
  readonly #server: Server;

  constructor(listener: WireListener, options: WirePortOptions) {
    this.#listener = listener;
    this.#guard = new Guard({ ...options, allowsLoopbackPages: true });
    this.#upgrader = new Upgrader({
      ...options,
      guard: this.#guard,
      gate: new Gate(options.authenticator, this.#guard),
      routes: listener.sockets,
      maxFrameBytes: listener.maxFrameBytes,
      maxSockets: limits.socketsPerPrincipal,
      onRefused: () => undefined,
    });
    this.#server = createServer({
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.headersTimeoutMs,
    });
    this.#server.on("request", (incoming, outgoing) => this.#answer(incoming, outgoing));
    this.#server.on("upgrade", (incoming, _socket, head) => this.#upgrader.upgrade(incoming, head));
  }

  async listen(): Promise<void> {
    if (this.#server.listening) return;
    let cause: unknown;
    for (const port of this.#listener.ports) {
      try {
        return this.#listener.onListening((await bind(this.#server, { host: HOST, port })).port);
      } catch (error) {
        const isTaken = error instanceof TransportError && error.code === "port_taken";
        if (!isTaken) throw error;
        cause = error;
      }
    }
    const ports = [...this.#listener.ports];
    const tried = ports.length > 1 ? `${ports[0]} to ${ports.at(-1)}` : `${ports[0]}`;
    const message = `cannot open a port of its own for a wire: ${tried} on ${HOST} is taken`;
    throw new TransportError("wire_port_taken", message, { cause });
  }

  /** Refuses new connections; resolves when all have left. */
  async close(): Promise<void> {
    const hasClosed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await this.#upgrader.emptied();
    this.#server.closeAllConnections();
    await hasClosed;
  }

  /** Cuts off whoever is left. */
  destroy(): void {
    this.#upgrader.destroy();
    this.#server.closeAllConnections();
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    const source = this.#guard.checkSource(incoming);
    sendResponse(outgoing, source.ok ? this.#listener.answer(incoming) : refused(source.error));
  }
}
