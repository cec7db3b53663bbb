import { detach } from "@turnwire/base";
import type { RawData, WebSocket } from "ws";
import type { CliLink } from "@turnwire/runtime";
import { MessageQueue } from "@turnwire/runtime/process";
import { LineCarry } from "../socket/line-carry.ts";
import { bytesOf } from "../socket/socket-inbox.ts";
import type { AdmittedPeer } from "../socket/admitted-peer.ts";
import { MAX_LINE_BYTES } from "./limit.ts";

export interface CliSocketOptions {
  readonly peer: Pick<AdmittedPeer, "websocket" | "incoming">;
  /** A line was too long to be kept. */
  readonly onDropped: (bytes: number) => void;
  readonly onError: (error: unknown) => void;
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
  readonly #websocket: WebSocket;
  readonly #carry = new LineCarry(FROM_CLI);
  readonly #lines = new MessageQueue<string>();
  readonly #closed: Promise<void>;

  constructor(options: CliSocketOptions) {
    const { websocket, incoming } = options.peer;
    const { remoteAddress = "unknown", remotePort = 0 } = incoming.socket;
    this.#options = options;
    this.#websocket = websocket;
    this.description = `${remoteAddress}:${remotePort}`;
    this.#closed = new Promise((resolve) => {
      websocket.once("close", () => {
        // What has begun and was not finished comes again, whole, when the CLI dials in again.
        this.#lines.end();
        resolve();
      });
    });
    websocket.on("message", (data) => this.#receive(data));
  }

  get lines(): AsyncIterable<string> {
    return this.#lines;
  }

  write(line: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#websocket.send(`${line}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  close(code = 1000): Promise<void> {
    this.#websocket.close(code);
    return this.#closed;
  }

  #receive(data: RawData): void {
    const text = Buffer.from(bytesOf(data)).toString();
    for (const line of this.#carry.take(text)) this.#take(line);
    if (this.#carry.length > MAX_LINE_BYTES) this.#options.onDropped(this.#carry.skip());
    if (!this.#lines.isFull) return;
    this.#websocket.pause();
    detach(
      this.#lines.room().then(() => this.#websocket.resume()),
      this.#options.onError,
    );
  }

  #take(line: string): void {
    const bytes = Buffer.byteLength(line);
    if (bytes > MAX_LINE_BYTES) this.#options.onDropped(bytes);
    else this.#lines.push(line);
  }
}
