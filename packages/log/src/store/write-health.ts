import { type Clock, errorText } from "@turnwire/base";
import { StoreError } from "../store-error.ts";

/** What is known of the last write is good for this long. */
const FRESH_MS = 1000;
/** A probe that takes longer counts as failed: the disk hangs. */
const PROBE_MS = 5000;

export interface WriteHealthOptions {
  /** A write that changes nothing. */
  readonly probe: () => Promise<unknown>;
  readonly clock: Clock;
}

/** Knows whether writes reach the disk: from the last real one, or from a probe where that is too long ago. */
export class WriteHealth {
  readonly #options: WriteHealthOptions;
  #at = Number.NEGATIVE_INFINITY;
  #problem: StoreError | undefined;
  #failedWrites = 0;
  #checking: Promise<StoreError | undefined> | undefined;

  constructor(options: WriteHealthOptions) {
    this.#options = options;
  }

  get failedWrites(): number {
    return this.#failedWrites;
  }

  succeeded(): void {
    this.#note(undefined);
  }

  /** A write that the store refused says nothing about the disk. */
  failed(error: unknown): void {
    if (!(error instanceof StoreError) || error.code !== "unavailable") return;
    this.#failedWrites += 1;
    this.#note(error);
  }

  /** Why writes fail; undefined when they do not. */
  async check(): Promise<StoreError | undefined> {
    const age = this.#options.clock.now() - this.#at;
    // A clock that was set back must not make an old result fresh for long.
    if (age >= 0 && age < FRESH_MS) return this.#problem;
    this.#checking ??= this.#probe().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  async #probe(): Promise<StoreError | undefined> {
    const { probe, clock } = this.#options;
    const done = new AbortController();
    const isLate = clock
      .wait(PROBE_MS, done.signal)
      .then(() => new StoreError("unavailable", `a write has not ended after ${PROBE_MS} ms`));
    const outcome = probe().then(
      () => undefined,
      (error: unknown) =>
        error instanceof StoreError ? error : new StoreError("unavailable", errorText(error)),
    );
    const problem = await Promise.race([outcome, isLate]);
    done.abort();
    this.#note(problem);
    return problem;
  }

  #note(problem: StoreError | undefined): void {
    this.#at = this.#options.clock.now();
    this.#problem = problem;
  }
}
