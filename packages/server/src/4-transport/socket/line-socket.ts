import { isObject } from "@turnwire/base";
import { accepted, type Result, type WireError, wireError } from "@turnwire/protocol";
import type { OpenSession } from "../../2-session/port/open-session.ts";
import type { Principal } from "../../0-storage/principal.ts";
import { streamJson } from "../../3-dialect/stream-json/stream-json.ts";
import {
  controlRequestId,
  controlResponse,
  initializeResponse,
  isInitialize,
} from "../../3-dialect/stream-json/control-line.ts";
import { websocketLines } from "../stream/encoding/websocket.ts";
import { jsonFromBytes } from "../http/json-text.ts";
import { LineCarry } from "./line-carry.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { reaching } from "../stream/rights-watch.ts";
import { SocketConnection } from "./socket-connection.ts";
import type { SocketPeer } from "../http/socket-route.ts";

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
  readonly #connection: SocketConnection;
  readonly #carry = new LineCarry();

  constructor(options: LineSocketOptions) {
    this.#options = options;
    this.#connection = new SocketConnection({
      ...options,
      check: reaching(options.session.owner),
      receive: (bytes) => this.#receive(bytes),
    });
  }

  async start(): Promise<void> {
    const { session } = this.#options;
    const after = this.#options.after ?? (await this.#sendOpening());
    this.#connection.follow({
      session,
      after,
      wireFormat: { dialect: streamJson, encoding: websocketLines },
      onEnd: (reason) => this.#connection.close(reason === "gone" ? "gap" : reason, reason),
    });
  }

  async #sendOpening(): Promise<number> {
    const { seq, state } = await this.#options.session.snapshot();
    this.#connection.sendOpening(streamJson.opening(state).map(({ data }) => `${data}\n`));
    return seq;
  }

  async #receive(bytes: Uint8Array): Promise<void> {
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
    const outcome = await this.#connection.act((principal) => this.#perform(line, principal));
    if (!outcome) return;
    const requestId = controlRequestId(line);
    if (requestId !== undefined) this.#connection.send(`${controlResponse(requestId, outcome)}\n`);
    else if (!outcome.ok) this.#sendError(outcome.error);
  }

  async #perform(
    line: Readonly<Record<string, unknown>>,
    principal: Principal,
  ): Promise<Result<object>> {
    const { session } = this.#options;
    if (isInitialize(line)) return accepted(initializeResponse(session.control));
    const command = streamJson.commandFrom(line, session.control);
    if (!command.ok) return command;
    const done = await session.execute(command.value, principal);
    return done.ok ? accepted({}) : done;
  }

  #sendError(error: WireError): void {
    this.#connection.send(`${JSON.stringify({ type: "error", error })}\n`);
  }
}
