import { type Clock, detach } from "@turnwire/base";
import { StoreError } from "../../store-error.ts";
import { storeClosed } from "../refusal.ts";
import type { WriteAnswers, WriteOf, WriteType } from "./write.ts";
import type { WriterThread } from "./writer-thread.ts";

/** How long to wait before each restart; after the last of them the store has failed. */
const RESTART_PAUSES_MS = [0, 100, 400, 1000, 2000];
/** A thread that lived this long had a good start: earlier restarts no longer count. */
const RESTART_WINDOW_MS = 60_000;

export interface WriterSupervisorOptions {
  readonly startThread: (isRestart: boolean) => Promise<WriterThread>;
  readonly clock: Clock;
  /** Called once, when the thread cannot be brought back. */
  readonly onFailed: (error: StoreError) => void;
}

/**
 * Keeps a writer thread running. A thread that dies takes all leases with it, so what was written
 * with them is refused by the next one and sessions load again from the store. Writes that come
 * meanwhile wait for the next thread.
 */
export class WriterSupervisor {
  readonly #options: WriterSupervisorOptions;
  readonly #closing = new AbortController();
  #thread: Promise<WriterThread>;
  #restarts = 0;
  #recentStarts: number[] = [];
  #problem: StoreError | undefined;

  private constructor(options: WriterSupervisorOptions, thread: WriterThread) {
    this.#options = options;
    this.#thread = Promise.resolve(thread);
    this.#watch(thread);
  }

  static async start(options: WriterSupervisorOptions): Promise<WriterSupervisor> {
    return new WriterSupervisor(options, await options.startThread(false));
  }

  get restarts(): number {
    return this.#restarts;
  }

  /** Why there is no thread now; undefined when there is one. */
  get problem(): StoreError | undefined {
    return this.#problem;
  }

  async write<Type extends WriteType>(write: WriteOf<Type>): Promise<WriteAnswers[Type]> {
    const thread = await this.#thread;
    return thread.write(write);
  }

  /** Waits for all writes, then for the end of the thread. */
  async close(): Promise<void> {
    this.#closing.abort();
    const thread = await this.#thread.catch(() => undefined);
    await thread?.close();
  }

  #watch(thread: WriterThread): void {
    const watching = thread.ended.then((error) => {
      if (this.#closing.signal.aborted) return;
      this.#problem = error;
      this.#thread = this.#restart(error);
      // Whoever writes next hears of it.
      detach(this.#thread, () => undefined);
    });
    detach(watching, () => undefined);
  }

  async #restart(cause: StoreError): Promise<WriterThread> {
    const { clock, startThread, onFailed } = this.#options;
    let error: unknown = cause;
    for (;;) {
      const pauseMs = this.#nextPause();
      if (pauseMs === undefined) break;
      await clock.wait(pauseMs, this.#closing.signal);
      if (this.#closing.signal.aborted) throw storeClosed();
      this.#recentStarts.push(clock.now());
      try {
        const thread = await startThread(true);
        this.#restarts += 1;
        this.#problem = undefined;
        this.#watch(thread);
        return thread;
      } catch (failure) {
        error = failure;
      }
    }
    this.#problem = failedForGood(error);
    onFailed(this.#problem);
    throw this.#problem;
  }

  #nextPause(): number | undefined {
    const oldest = this.#options.clock.now() - RESTART_WINDOW_MS;
    this.#recentStarts = this.#recentStarts.filter((time) => time > oldest);
    return RESTART_PAUSES_MS[this.#recentStarts.length];
  }
}

function failedForGood(cause: unknown): StoreError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new StoreError(
    "unavailable",
    `the store can no longer write: its writer thread was started ${RESTART_PAUSES_MS.length} times again and did not stay (${reason})`,
    { cause },
  );
}
