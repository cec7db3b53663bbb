import type { IncomingMessage } from "node:http";
import { limits, wireError, type WireError, type Principal } from "@turnwire/protocol";
import { type WebSocket, WebSocketServer } from "ws";
import { detach } from "@turnwire/base";
import { type HttpResponse, refused, SLICE_BYTES, type SocketRoute } from "@turnwire/wire";
import { sendOnSocket, wireErrorFrom } from "../http/http-response.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { AdmittedPeer } from "./admitted-peer.ts";
import type { Gate } from "../auth/gate.ts";
import type { Guard } from "../http/guard.ts";
import { rightError } from "../auth/right.ts";
import { matchPath } from "../http/path.ts";

export interface UpgraderOptions {
  readonly guard: Guard;
  readonly gate: Gate;
  readonly hub: ReaderHub;
  readonly routes: readonly SocketRoute[];
  readonly maxFrameBytes: number;
  /** How many WebSockets a principal may have open at once. */
  readonly maxSockets: number;
  /** Why no WebSocket can be opened now. */
  readonly refusal: () => WireError | undefined;
  readonly onRefused: (incoming: IncomingMessage, status: number) => void;
  readonly onError: (error: unknown) => void;
}

/** A peer that asks for pongs without taking them gets no more than this; a slice on its way is less. */
const MAX_PONG_BACKLOG = 2 * SLICE_BYTES;

/** Upgrades requests to WebSockets; who does not belong is refused by HTTP, before any 101. */
export class Upgrader {
  readonly #options: UpgraderOptions;
  readonly #server: WebSocketServer;
  readonly #open = new Set<WebSocket>();
  /** How many each principal has, by id. */
  readonly #counts = new Map<string, number>();
  #onEmpty: () => void = () => undefined;

  constructor(options: UpgraderOptions) {
    this.#options = options;
    // A value of its own because the types of ws 8.18 do not know closeTimeout yet.
    const settings = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      autoPong: false,
      maxPayload: options.maxFrameBytes,
      closeTimeout: limits.closeTimeoutMs,
      handleProtocols: (protocols: Set<string>) =>
        protocols.has("turnwire") ? "turnwire" : (false as const),
    };
    this.#server = new WebSocketServer(settings);
    this.#server.on("wsClientError", (error, _socket, incoming) => {
      sendOnSocket(incoming.socket, refused(wireError("invalid_request", error.message)));
    });
  }

  /** Resolves when every connection has closed, as those do whose session was put to sleep. */
  emptied(): Promise<void> {
    return new Promise((resolve) => {
      this.#onEmpty = resolve;
      if (this.#open.size === 0) resolve();
    });
  }

  /** Cuts off the connections that are left. */
  destroy(): void {
    for (const websocket of this.#open) websocket.terminate();
  }

  upgrade(incoming: IncomingMessage, head: Buffer): void {
    const { socket } = incoming;
    // Without a listener a reset before the handshake would end the process.
    socket.on("error", () => socket.destroy());
    detach(this.#upgrade(incoming, head), (error) => {
      this.#options.onError(error);
      sendOnSocket(socket, refused(wireErrorFrom(error)));
    });
  }

  async #upgrade(incoming: IncomingMessage, head: Buffer): Promise<void> {
    const { guard, gate, refusal } = this.#options;
    const checked = guard.checkSource(incoming);
    if (!checked.ok) return this.#refuse(incoming, refused(checked.error));
    const error = refusal();
    if (error) return this.#refuse(incoming, refused(error));
    const admission = await gate.admit(incoming);
    if (!admission.isAdmitted) return this.#refuse(incoming, admission.answer);
    const url = new URL(incoming.url ?? "/", "http://localhost");
    const connect = this.#prepare(incoming, url, admission.principal);
    if (!connect.ok) return this.#refuse(incoming, refused(connect.error));
    const { token } = admission.principal;
    const id = token?.id ?? admission.principal.id;
    if (this.#countOf(id) >= this.#options.maxSockets) {
      return this.#refuse(incoming, refused(this.#tooManySockets()));
    }
    this.#server.handleUpgrade(incoming, incoming.socket, head, (websocket) => {
      websocket.on("ping", (data) => {
        if (websocket.bufferedAmount < MAX_PONG_BACKLOG) websocket.pong(data);
      });
      this.#open.add(websocket);
      this.#counts.set(id, this.#countOf(id) + 1);
      websocket.once("close", () => {
        this.#open.delete(websocket);
        this.#release(id);
        if (this.#open.size === 0) this.#onEmpty();
      });
      // What is wrong with a frame is reported by the close code that ws sends.
      websocket.on("error", () => undefined);
      const peer = new AdmittedPeer({
        ...this.#options,
        websocket,
        incoming,
        currentPrincipal: () => gate.currentPrincipal(incoming),
      });
      const connected = (async () => connect.value(peer))();
      detach(connected, (error) => {
        this.#options.onError(error);
        const { code, retryable } = wireErrorFrom(error);
        peer.close(retryable ? "released" : "failed", code);
      });
    });
  }

  #countOf(principalId: string): number {
    return this.#counts.get(principalId) ?? 0;
  }

  #release(principalId: string): void {
    const left = this.#countOf(principalId) - 1;
    if (left > 0) this.#counts.set(principalId, left);
    else this.#counts.delete(principalId);
  }

  #tooManySockets(): WireError {
    const message = `You have ${this.#options.maxSockets} WebSockets open, and that is the most: close one first.`;
    return wireError("rate_limited", message);
  }

  #refuse(incoming: IncomingMessage, answer: HttpResponse): void {
    this.#options.onRefused(incoming, answer.status);
    sendOnSocket(incoming.socket, answer);
  }

  #prepare(
    incoming: IncomingMessage,
    url: URL,
    principal: Principal,
  ): ReturnType<SocketRoute["prepare"]> {
    for (const route of this.#options.routes) {
      const params = matchPath(route.path, url.pathname);
      if (!params) continue;
      const error = rightError(principal, route);
      if (error) return { ok: false, error };
      return route.prepare({ principal, params, query: url.searchParams, incoming });
    }
    return { ok: false, error: wireError("not_found", "There is no WebSocket at this path.") };
  }
}
