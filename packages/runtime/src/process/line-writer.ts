import type { Writable } from "node:stream";
import { type Clock, detach } from "@turnwire/base";
import { RuntimeError } from "./runtime-error.ts";

export interface LineWriterOptions {
  readonly clock: Clock;
  /** More than this is never queued for an agent that does not read. */
  readonly maxQueuedBytes: number;
  /** An agent that does not take a line within this time is stalled. */
  readonly deadlineMs: number;
}

/** Writes lines to an agent's stdin: bounded, with a deadline, and never an unhandled error. */
export class LineWriter {
  readonly #stream: Writable;
  readonly #options: LineWriterOptions;
  readonly #pending = new Set<(error: RuntimeError) => void>();
  #failure: RuntimeError | undefined;

  constructor(stream: Writable, options: LineWriterOptions) {
    this.#stream = stream;
    this.#options = options;
    // Without a listener an EPIPE would end the whole server.
    stream.on("error", (cause) => this.fail(goneError(cause)));
  }

  /** Resolves when the system has taken the line; rejects with a RuntimeError. */
  async write(line: string): Promise<void> {
    const { maxQueuedBytes } = this.#options;
    if (this.#failure) throw this.#failure;
    if (line.includes("\n")) {
      throw new RuntimeError("protocol", "A line for an agent must not contain a line break.");
    }
    if (this.#stream.writableEnded) throw goneError();
    const queued = this.#stream.writableLength + Buffer.byteLength(line) + 1;
    if (queued > maxQueuedBytes) {
      throw new RuntimeError(
        "stalled",
        `The agent does not read its input: ${queued} bytes would wait, the limit is ${maxQueuedBytes}. Stop it and send less.`,
      );
    }
    await this.#hand(`${line}\n`);
  }

  /** Rejects every write that waits and every later one. */
  fail(error: RuntimeError): void {
    this.#failure ??= error;
    for (const reject of this.#pending) reject(this.#failure);
    this.#pending.clear();
  }

  #hand(text: string): Promise<void> {
    const taken = new AbortController();
    return new Promise<void>((resolve, reject) => {
      this.#pending.add(reject);
      this.#stream.write(text, (error) => {
        this.#pending.delete(reject);
        if (error) reject(goneError(error));
        else resolve();
      });
      detach(this.#watch(taken.signal), reject);
    }).finally(() => taken.abort());
  }

  async #watch(taken: AbortSignal): Promise<void> {
    const { clock, deadlineMs } = this.#options;
    await clock.wait(deadlineMs, taken);
    if (taken.aborted) return;
    this.fail(
      new RuntimeError(
        "stalled",
        `The agent has not read its input for ${deadlineMs} ms. Stop it and start again.`,
      ),
    );
  }
}

function goneError(cause?: Error): RuntimeError {
  const message = "The agent takes no more input: it is gone, or its input was closed.";
  return new RuntimeError("exited", message, { cause });
}
