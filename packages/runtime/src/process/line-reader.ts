import { setImmediate as nextLoop } from "node:timers/promises";
import type { Readable } from "node:stream";
import type { Clock } from "@turnwire/base";
import { LineSplitter, type SplitLine } from "./line-splitter.ts";

export interface LineReaderOptions {
  readonly clock: Clock;
  readonly maxLineBytes: number;
  /** After the exit: how long silence must last before nothing more is expected. */
  readonly drainMs: number;
}

/** More than any pipe holds: what comes later was not written by the agent itself. */
const maxBytesAfterExit = 4 * 1024 * 1024;

/**
 * Reads an agent's stdout as lines, and only as fast as they are taken.
 * It ends with the stream, or soon after `markExited`: a grandchild may keep the pipe open for ever.
 */
export class LineReader implements AsyncIterable<SplitLine> {
  readonly #stream: Readable;
  readonly #options: LineReaderOptions;
  #wake: () => void = () => undefined;
  #isOver = false;
  #hasExited = false;
  #isRead = false;

  constructor(stream: Readable, options: LineReaderOptions) {
    this.#stream = stream;
    this.#options = options;
    const over = () => {
      this.#isOver = true;
      this.#wake();
    };
    stream.on("readable", () => this.#wake());
    stream.on("end", over).on("close", over).on("error", over);
  }

  /** The agent is gone: what it wrote is still read, but no reader is waited for. */
  markExited(): void {
    this.#hasExited = true;
    this.#wake();
  }

  /** Releases the pipe when reading has not begun. */
  discard(): void {
    if (!this.#isRead) this.#stream.destroy();
  }

  /** Read once. */
  async *[Symbol.asyncIterator](): AsyncGenerator<SplitLine> {
    this.#isRead = true;
    const splitter = new LineSplitter({ maxBytes: this.#options.maxLineBytes });
    let bytesAfterExit = 0;
    try {
      while (bytesAfterExit < maxBytesAfterExit) {
        const chunk = this.#take();
        if (chunk) {
          if (this.#hasExited) bytesAfterExit += chunk.length;
          yield* splitter.push(chunk);
        } else if (this.#isOver || !(await this.#more())) {
          break;
        }
      }
      yield* splitter.end();
    } finally {
      this.#stream.destroy();
    }
  }

  #take(): Buffer | undefined {
    const chunk: unknown = this.#stream.read();
    return Buffer.isBuffer(chunk) ? chunk : undefined;
  }

  /** Waits until there may be more; false when the agent is gone and all is quiet. */
  async #more(): Promise<boolean> {
    if (!this.#hasExited) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
      return true;
    }
    const woken = new AbortController();
    this.#wake = () => woken.abort();
    await this.#options.clock.wait(this.#options.drainMs, woken.signal);
    // On a busy machine the timer may be served before the pipe: give the pipe its chance.
    await nextLoop();
    await nextLoop();
    return woken.signal.aborted;
  }
}
