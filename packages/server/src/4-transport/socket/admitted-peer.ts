import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { closeCode, type Principal } from "@turnwire/protocol";
import type { WebSocket } from "ws";
import type { CloseReason, ConnectionOptions, SocketPeer } from "@turnwire/wire";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { SocketConnection } from "./socket-connection.ts";

export interface AdmittedPeerOptions {
  readonly websocket: WebSocket;
  /** The request that was upgraded. */
  readonly incoming: IncomingMessage;
  readonly hub: ReaderHub;
  /** Who the connection belongs to by now; undefined when it would not be admitted any more. */
  readonly currentPrincipal: () => Promise<Principal | undefined>;
  readonly onError: (error: unknown) => void;
}

/** A WebSocket that has passed the gate. Whole frames may also be written to its socket directly. */
export class AdmittedPeer implements SocketPeer {
  readonly websocket: WebSocket;
  readonly incoming: IncomingMessage;
  readonly hub: ReaderHub;
  readonly currentPrincipal: () => Promise<Principal | undefined>;
  readonly onError: (error: unknown) => void;

  constructor(options: AdmittedPeerOptions) {
    this.websocket = options.websocket;
    this.incoming = options.incoming;
    this.hub = options.hub;
    this.currentPrincipal = options.currentPrincipal;
    this.onError = options.onError;
    this.websocket.pause();
  }

  get socket(): Socket {
    return this.incoming.socket;
  }

  connect(options: ConnectionOptions): SocketConnection {
    const connection = new SocketConnection(this, options);
    this.resume();
    return connection;
  }

  close(reason: CloseReason, text: string = reason): void {
    // The peer's answer to the close must be read.
    this.resume();
    this.websocket.close(closeCode[reason], text);
  }

  /** Begins to read; what is received before a listener is added would be lost. */
  resume(): void {
    this.websocket.resume();
  }
}
