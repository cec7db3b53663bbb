import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener, type HttpBindings } from "@hono/node-server";
import { wireError, type WireError } from "@turnwire/protocol";
import type { Hono } from "hono";
import { detach } from "@turnwire/base";
import { type HttpResponse, refused } from "@turnwire/wire";
import { securityHeaders, sendResponse, sendOnSocket } from "./http-response.ts";
import type { Guard } from "./guard.ts";
import { RequestPace } from "./request-pace.ts";

export interface RequestListenerOptions {
  readonly guard: Guard;
  readonly router: Hono<{ Bindings: HttpBindings }>;
  /** The server is about to stop: connections are not kept, so that the next request goes elsewhere. */
  readonly isDraining: () => boolean;
  /** The server stops: only its health can be asked. */
  readonly isClosing: () => boolean;
  /** Called when an answer has been sent or its connection is gone. */
  readonly onAnswered: (incoming: IncomingMessage, outgoing: ServerResponse) => void;
  readonly onError: (error: unknown) => void;
}

/** Takes requests from the socket to the router, past the guard. */
export class RequestListener {
  readonly #options: RequestListenerOptions;
  readonly #route: (incoming: IncomingMessage, outgoing: ServerResponse) => Promise<unknown>;
  readonly #answering = new WeakSet<object>();
  readonly #pace = new RequestPace();

  constructor(options: RequestListenerOptions) {
    this.#options = options;
    this.#route = getRequestListener(options.router.fetch, { overrideGlobalObjects: false });
  }

  take(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const { socket } = incoming;
    this.#answering.add(socket);
    outgoing.once("close", () => {
      this.#answering.delete(socket);
      this.#options.onAnswered(incoming, outgoing);
    });
    setHeaders(outgoing, securityHeaders);
    const answer = this.#answerAtOnce(incoming, outgoing);
    if (answer) sendResponse(outgoing, answer);
    else this.#pace.begin(() => detach(this.#route(incoming, outgoing), this.#options.onError));
  }

  /** Bytes that are not a request. In the middle of an answer there is no way to say so. */
  takeGarbage(error: Error & { code?: string }, socket: Socket): void {
    if (this.#answering.has(socket) || !socket.writable) socket.destroy();
    else sendOnSocket(socket, refused(garbageError(error)));
  }

  #answerAtOnce(incoming: IncomingMessage, outgoing: ServerResponse): HttpResponse | undefined {
    const { guard, isDraining, isClosing } = this.#options;
    const source = guard.checkSource(incoming);
    if (!source.ok) return refused(source.error);
    setHeaders(outgoing, guard.corsHeaders(incoming));
    const preflight = guard.preflight(incoming);
    if (preflight) return preflight;
    const type = guard.checkBodyType(incoming);
    if (!type.ok) return refused(type.error);
    if (!isDraining()) return undefined;
    outgoing.setHeader("connection", "close");
    if (!isClosing() || incoming.url === "/health") return undefined;
    return refused(wireError("shutting_down", "The server is stopping; try again."));
  }
}

function setHeaders(outgoing: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) outgoing.setHeader(name, value);
}

function garbageError(error: { code?: string }): WireError {
  return error.code === "ERR_HTTP_REQUEST_TIMEOUT"
    ? wireError("request_timeout", "The request took too long to arrive.")
    : wireError("invalid_request", "This is not HTTP that can be read here.");
}
