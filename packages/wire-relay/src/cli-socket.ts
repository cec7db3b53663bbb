import type { Principal } from "@turnwire/protocol";
import type { CliLink } from "@turnwire/runtime";
import { MessageQueue } from "@turnwire/runtime/process";
import { type Connection, LineCarry, type SocketPeer, unchanged } from "@turnwire/wire";
import { MAX_LINE_BYTES } from "./limit.ts";

export interface CliSocketOptions {
  readonly peer: SocketPeer;
  readonly principal: Principal;
  /** Where it comes from. */
  readonly description: string;
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

/** A CLI that dialled in over WebSocket. While its lines are not read, it waits. */
export class CliSocket implements CliLink {
  readonly description: string;
  readonly #options: CliSocketOptions;
  readonly #connection: Connection;
  readonly #carry = new LineCarry(FROM_CLI);
  readonly #lines = new MessageQueue<string>();

  constructor(options: CliSocketOptions) {
    this.#options = options;
    this.description = options.description;
    this.#connection = options.peer.connect({
      check: unchanged(options.principal),
      receive: (bytes) => this.#receive(bytes),
      // What has begun and was not finished comes again, whole, when the CLI dials in again.
      onLeft: () => this.#lines.end(),
    });
  }

  get lines(): AsyncIterable<string> {
    return this.#lines;
  }

  write(line: string): Promise<void> {
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
    await Promise.race([this.#lines.room(), this.#connection.closed]);
  }

  #take(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_LINE_BYTES) this.#options.onDropped(bytes);
    else this.#lines.push(line);
  }
}
