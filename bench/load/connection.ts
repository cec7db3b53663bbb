import { connect, type Socket } from "node:net";
import { sharedNowMs } from "./message.ts";
import type { StreamText } from "./stream-text.ts";

const HEAD_END = "\r\n\r\n";
const READ_BYTES = 256 * 1024;

/** All sockets read into the same memory: each chunk is done with before the next one comes. */
const chunkBytes = Buffer.allocUnsafeSlow(READ_BYTES);

export interface ConnectionOptions {
  readonly port: number;
  readonly request: string;
  readonly text: StreamText;
  /** Takes nothing after the head of the answer. */
  readonly isStalled: boolean;
  /** Latencies go here; all readers share it. */
  readonly latenciesMs: number[];
  readonly onAnswered: () => void;
  readonly onDone: () => void;
  readonly onFailed: (error: Error) => void;
}

/** One reader: sends its request and checks what comes as cheaply as that can be done. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #socket: Socket;
  readonly connected: Promise<void>;
  #head = "";
  #isAnswered = false;
  #isClosed = false;
  #offset = 0;
  #frames = 0;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#socket = connect({
      port: options.port,
      host: "127.0.0.1",
      onread: {
        buffer: chunkBytes,
        callback: (count) => this.#take(chunkBytes.subarray(0, count)),
      },
    });
    this.connected = new Promise((resolve) => {
      this.#socket.once("connect", () => resolve());
    });
    this.#socket.on("error", options.onFailed);
    this.#socket.on("close", () => {
      if (!this.#isClosed) options.onFailed(new Error(`cut off after ${this.#offset} bytes`));
    });
  }

  get bytes(): number {
    return this.#offset;
  }

  ask(): void {
    this.#socket.write(this.#options.request);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return new Promise((resolve) => {
      this.#socket.once("close", () => resolve());
      this.#socket.destroy();
    });
  }

  /** False stops the reading. */
  #take(chunk: Buffer): boolean {
    try {
      const body = this.#isAnswered ? chunk : this.#takeHead(chunk);
      if (this.#isAnswered && this.#options.isStalled) return false;
      if (body.length > 0) this.#takeBody(body);
      return true;
    } catch (error) {
      this.#options.onFailed(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  }

  #takeHead(chunk: Buffer): Buffer {
    const start = this.#head.length;
    this.#head += chunk.toString("latin1");
    const end = this.#head.indexOf(HEAD_END);
    if (end === -1) return chunk.subarray(chunk.length);
    if (!this.#head.startsWith("HTTP/1.1 200 ")) throw new Error(`refused: ${this.#head}`);
    this.#isAnswered = true;
    this.#options.onAnswered();
    return chunk.subarray(end + HEAD_END.length - start);
  }

  #takeBody(body: Buffer): void {
    const { text, onDone } = this.#options;
    text.take(this.#offset, body);
    this.#offset += body.length;
    this.#noteLatencies();
    const { end } = text;
    if (end === undefined || this.#offset < end) return;
    if (this.#offset > end) throw new Error("something came after the last event");
    onDone();
  }

  #noteLatencies(): void {
    const { text, latenciesMs } = this.#options;
    if (!text.hasMarks) return;
    const nowMs = sharedNowMs();
    for (; (text.ends[this.#frames] ?? Infinity) <= this.#offset; this.#frames += 1) {
      const madeAtMs = text.madeAtMs[this.#frames] ?? Number.NaN;
      if (!Number.isNaN(madeAtMs)) latenciesMs.push(nowMs - madeAtMs);
    }
  }
}
