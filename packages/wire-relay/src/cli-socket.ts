import type { Principal } from "@turnwire/protocol";
import type { CliLink } from "@turnwire/runtime";
import { MessageQueue } from "@turnwire/runtime/process";
import { type Connection, LineCarry, type SocketPeer, unchanged } from "@turnwire/wire";
import { MAX_LINE_BYTES, MAX_WAITING_BYTES } from "./limit.ts";

export interface CliSocketOptions {
  readonly peer: SocketPeer;
  readonly principal: Principal;
  /** Where it comes from. */
  readonly description: string;
  /** A line of the CLI, as soon as it is there. */
  readonly onLine: (line: string) => void;
  /** A line that the CLI is sent. */
  readonly onWrite: (line: string) => void;
  /** A line was too long to be kept. */
  readonly onDropped: (bytes: number) => void;
}

/** What the CLI writes; a frame of any other beginning may continue a line. */
const FROM_CLI = [
  "assistant",
  "control_cancel_request",
  "control_request",
  "control_response",
  "keep_alive",
  "result",
  "stream_event",
  "system",
  "user",
];

/** A CLI that dialled in over WebSocket. While too much of what it wrote is not read, it waits. */
export class CliSocket implements CliLink {
  readonly description: string;
  readonly #options: CliSocketOptions;
  readonly #connection: Connection;
  readonly #carry = new LineCarry(FROM_CLI, { isStrict: true });
  readonly #lines = new MessageQueue<string>();
  #waitingBytes = 0;
  #onRead: () => void = () => undefined;

  constructor(options: CliSocketOptions) {
    this.#options = options;
    this.description = options.description;
    this.#connection = options.peer.connect({
      check: unchanged(options.principal),
      receive: (bytes) => this.#receive(bytes),
      // A line that was not finished comes again, whole, when the CLI dials in again.
      onLeft: () => this.#lines.end(),
    });
  }

  get lines(): AsyncIterable<string> {
    return this.#read();
  }

  write(line: string): Promise<void> {
    this.#options.onWrite(line);
    return this.#connection.write(`${line}\n`);
  }

  close(code = 1000): Promise<void> {
    this.#connection.close(code);
    return this.#connection.closed;
  }

  async #receive(bytes: Uint8Array): Promise<void> {
    for (const line of this.#carry.take(Buffer.from(bytes).toString())) this.#take(line);
    if (this.#carry.length > MAX_LINE_BYTES) this.#options.onDropped(this.#carry.skip());
    // One that has left is waited for no longer.
    if (this.#isFull) await Promise.race([this.#room(), this.#connection.closed]);
  }

  #take(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_LINE_BYTES) return this.#options.onDropped(bytes);
    this.#options.onLine(line);
    this.#waitingBytes += bytes;
    this.#lines.push(line);
  }

  async *#read(): AsyncGenerator<string> {
    for await (const line of this.#lines) {
      this.#waitingBytes -= Buffer.byteLength(line);
      if (!this.#isFull) this.#onRead();
      yield line;
    }
  }

  get #isFull(): boolean {
    return this.#waitingBytes > MAX_WAITING_BYTES;
  }

  #room(): Promise<void> {
    return new Promise((resolve) => (this.#onRead = resolve));
  }
}
