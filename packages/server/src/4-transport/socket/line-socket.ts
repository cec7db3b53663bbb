import { isObject } from "@turnwire/base";
import { accepted, closeCode, type Result, type WireError, wireError } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import { canReach } from "../../0-storage/principal.ts";
import { streamJson } from "../../3-dialect/stream-json/stream-json.ts";
import {
  controlRequestId,
  controlResponse,
  initializeResponse,
  isInitialize,
} from "../../3-dialect/stream-json/control-line.ts";
import { websocketLines } from "../stream/encoding/websocket.ts";
import { wireErrorFrom } from "../http/http-response.ts";
import { jsonFromBytes } from "../http/json-text.ts";
import { LineCarry } from "./line-carry.ts";
import { keepOpen } from "../stream/ping.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { reaching, type RightsEnd } from "../stream/rights-watch.ts";
import { SocketInbox } from "./socket-inbox.ts";
import { SocketOutbox } from "./socket-outbox.ts";
import type { SocketPeer } from "../http/socket-route.ts";
import { closeForRights } from "./websocket.ts";

export interface LineSocketOptions {
  readonly session: OpenSession;
  /** Where the reader stands; undefined: it begins with the conversation so far. */
  readonly after: number | undefined;
  readonly peer: SocketPeer;
  readonly hub: ReaderHub;
  readonly onError: (error: unknown) => void;
}

/** A line that has begun may not grow beyond this. */
const MAX_REST = 1024 * 1024;

/** A session over WebSocket as the Claude CLI has one over its pipes: lines of stream-json both ways. */
export class LineSocket {
  readonly #options: LineSocketOptions;
  readonly #outbox: SocketOutbox;
  readonly #carry = new LineCarry();

  constructor(options: LineSocketOptions) {
    this.#options = options;
    this.#outbox = new SocketOutbox(options.peer.websocket);
  }

  async start(): Promise<void> {
    const { session, hub, peer, onError } = this.#options;
    const { websocket, socket, incoming } = peer;
    const take = (bytes: Uint8Array): Promise<void> => this.#take(bytes);
    const inbox = new SocketInbox({ websocket, take, onError });
    websocket.on("message", (data) => inbox.receive(data));
    keepOpen(websocket, hub);
    const after = this.#options.after ?? (await this.#sendOpening());
    this.#outbox.reader = hub.follow({
      session,
      socket,
      after,
      wireFormat: { dialect: streamJson, encoding: websocketLines },
      onEnd: (reason) => websocket.close(closeCode[reason === "gone" ? "gap" : reason], reason),
      onStall: () => websocket.close(closeCode.tooSlow, "too slow"),
    });
    const end = (reason: RightsEnd): void => this.#endForRights(reason);
    websocket.once("close", hub.rights.add({ incoming, check: reaching(session.owner), end }));
  }

  async #sendOpening(): Promise<number> {
    const { session, peer } = this.#options;
    const { seq, state } = await session.snapshot();
    for (const { data } of streamJson.opening(state)) peer.websocket.send(`${data}\n`);
    return seq;
  }

  async #take(bytes: Uint8Array): Promise<void> {
    const lines = this.#carry.take(Buffer.from(bytes).toString());
    for (const line of lines) await this.#takeLine(line);
    if (this.#carry.length <= MAX_REST) return;
    this.#carry.skip();
    this.#sendError(wireError("payload_too_large", `A line is longer than ${MAX_REST} bytes.`));
  }

  async #takeLine(text: string): Promise<void> {
    const parsed = jsonFromBytes(Buffer.from(text));
    if (!parsed.ok) return this.#sendError(parsed.error);
    const line = isObject(parsed.value) ? parsed.value : {};
    if (line["type"] === "keep_alive") return;
    const outcome = await this.#perform(line);
    if (!outcome) return;
    const requestId = controlRequestId(line);
    if (requestId !== undefined) this.#outbox.send(`${controlResponse(requestId, outcome)}\n`);
    else if (!outcome.ok) this.#sendError(outcome.error);
  }

  /** With the rights of this moment. Undefined when the connection was closed instead. */
  async #perform(line: Readonly<Record<string, unknown>>): Promise<Result<object> | undefined> {
    const { session, peer, onError } = this.#options;
    try {
      const principal = await peer.currentPrincipal();
      if (!principal || !canReach(principal, session.owner)) {
        this.#endForRights(principal ? "unknownSession" : "unauthorized");
        return undefined;
      }
      if (isInitialize(line)) return accepted(initializeResponse(session.control));
      const command = streamJson.commandFrom(line, session.control);
      if (!command.ok) return command;
      const done = await session.execute(command.value, principal);
      return done.ok ? accepted({}) : done;
    } catch (error) {
      onError(error);
      return { ok: false, error: wireErrorFrom(error) };
    }
  }

  #endForRights(reason: RightsEnd): void {
    const reader = this.#outbox.reader ?? { finish: (close: () => void) => close() };
    closeForRights(this.#options.peer.websocket, reader, reason);
  }

  #sendError(error: WireError): void {
    this.#outbox.send(`${JSON.stringify({ type: "error", error })}\n`);
  }
}
