import { workerFile } from "../../worker-file.ts";
import { Worker } from "node:worker_threads";
import { StoreError } from "../../store-error.ts";
import { storeClosed } from "../refusal.ts";
import type {
  Write,
  WriteAnswers,
  WriteOf,
  WriteOutcome,
  WriterOptions,
  WriterReport,
  WriterRequest,
  WriteType,
} from "./write.ts";

interface Waiting {
  readonly resolve: (outcome: WriteOutcome) => void;
  readonly reject: (error: StoreError) => void;
}

/**
 * This side of one writer thread, from its start to its end: sends what one tick brought in one
 * message, matches outcomes by order. Writes without an outcome are rejected when the thread ends;
 * they may have been committed.
 */
export class WriterThread {
  /** Settles when the thread has ended, with the reason. */
  readonly ended: Promise<StoreError>;
  readonly #worker: Worker;
  #outbox: Write[] = [];
  #waiting: Waiting[] = [];
  #refusal: StoreError | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.ended = new Promise((resolve) => {
      worker.once("exit", () => {
        resolve(this.#fail(new StoreError("unavailable", "the store's writer thread has ended")));
      });
    });
    worker.on("error", (error) => {
      this.#fail(
        new StoreError("unavailable", `the store's writer thread died: ${error.message}`, {
          cause: error,
        }),
      );
    });
  }

  /** Resolves when the database is open and migrated. */
  static async start(options: WriterOptions): Promise<WriterThread> {
    const thread = new WriterThread(startWorker(options));
    await thread.#ready();
    return thread;
  }

  async write<Type extends WriteType>(write: WriteOf<Type>): Promise<WriteAnswers[Type]> {
    if (this.#refusal) throw this.#refusal;
    if (this.#outbox.length === 0) queueMicrotask(() => this.#send());
    // A WriteOf<Type> is the member of the union with that type.
    this.#outbox.push(write as Write);
    const outcome = await new Promise<WriteOutcome>((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
    });
    if ("refusal" in outcome) {
      throw new StoreError(outcome.refusal.code, outcome.refusal.message);
    }
    // The writer answers each write with the answer of its type.
    return outcome.answer as WriteAnswers[Type];
  }

  /** Waits for all writes, then for the end of the thread. */
  async close(): Promise<void> {
    this.#refusal ??= storeClosed();
    this.#send();
    this.#post({ type: "close" });
    await this.ended;
  }

  /** Ends the thread wherever it is. */
  async kill(): Promise<void> {
    await this.#worker.terminate();
  }

  async #ready(): Promise<void> {
    const reported = new Promise<StoreError | undefined>((resolve) => {
      this.#worker.on("message", (report: WriterReport) => {
        switch (report.type) {
          case "ready":
            return resolve(undefined);
          case "failed":
            return resolve(new StoreError(report.refusal.code, report.refusal.message));
          case "outcomes":
            return this.#settle(report.outcomes);
        }
      });
    });
    const refusal = await Promise.race([reported, this.ended]);
    if (!refusal) return;
    await this.kill();
    throw refusal;
  }

  #send(): void {
    if (this.#outbox.length === 0) return;
    const writes = this.#outbox;
    this.#outbox = [];
    this.#post({ type: "write", writes });
  }

  #post(request: WriterRequest): void {
    this.#worker.postMessage(request, []);
  }

  #settle(outcomes: readonly WriteOutcome[]): void {
    const waiting = this.#waiting.splice(0, outcomes.length);
    for (const [index, { resolve }] of waiting.entries()) {
      const outcome = outcomes[index];
      if (outcome) resolve(outcome);
    }
  }

  /** The first reason stays. */
  #fail(error: StoreError): StoreError {
    this.#refusal ??= error;
    this.#outbox = [];
    for (const { reject } of this.#waiting.splice(0)) reject(this.#refusal);
    return this.#refusal;
  }
}

function startWorker(options: WriterOptions): Worker {
  const file = workerFile({
    besides: import.meta.url,
    name: "writer-worker",
    external: ["libsql"],
  });
  return new Worker(file, { workerData: options });
}
