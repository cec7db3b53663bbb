import { isObject } from "@turnwire/base";
import {
  accepted,
  type Result,
  type WireError,
  wireError,
  type Principal,
} from "@turnwire/protocol";
import {
  type OpenSession,
  streamJson,
  controlRequestId,
  controlResponse,
  initializeResponse,
  isInitialize,
  LineCarry,
  jsonFromBytes,
  type Connection,
  reaching,
  type SocketPeer,
} from "@turnwire/wire";

export interface LineSocketOptions {
  readonly session: OpenSession;
  /** Where the reader stands; undefined: it begins with the conversation so far. */
  readonly after: number | undefined;
  readonly peer: SocketPeer;
}

/** A line that has begun may not grow beyond this. */
const MAX_REST = 1024 * 1024;

/** A session over WebSocket as the Claude CLI has one over its pipes: lines of stream-json both ways. */
export class LineSocket {
  readonly #options: LineSocketOptions;
  readonly #connection: Connection;
  readonly #carry = new LineCarry();

  constructor(options: LineSocketOptions) {
    this.#options = options;
    this.#connection = options.peer.connect({
      check: reaching(options.session),
      receive: (bytes) => this.#receive(bytes),
    });
  }

  async start(): Promise<void> {
    const { session } = this.#options;
    const after = this.#options.after ?? (await this.#sendOpening());
    this.#connection.follow({
      session,
      after,
      dialect: streamJson,
      framing: "line",
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
