import type { SessionState } from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";
import type { ReadableLog } from "@turnwire/log";
import { foldLog } from "./fold-log.ts";

/** A folded conversation may be large: it is kept only while tabs are being opened. */
const keepMs = 30_000;

/** Folds a session's log on demand, continuing from the last time where that is recent. */
export class SnapshotFolder {
  readonly #log: ReadableLog;
  readonly #clock: Clock;
  #kept: SessionState | undefined;
  #folding: Promise<SessionState> | undefined;
  #isStopped = false;
  #cancelDrop: () => void = () => undefined;

  constructor(log: ReadableLog, clock: Clock) {
    this.#log = log;
    this.#clock = clock;
  }

  /** The state at the head, or somewhat behind it when the log runs fast; see `state.seq`. */
  current(): Promise<SessionState> {
    this.#folding ??= this.#foldTo(this.#log.head).finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  /** The state at an earlier seq, for retention. */
  async at(seq: number): Promise<SessionState> {
    return foldLog(this.#log, await this.#log.readBase(), seq);
  }

  /** Keeps nothing any more; a fold that is on its way still gives its state. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelDrop();
    this.#kept = undefined;
  }

  async #foldTo(head: number): Promise<SessionState> {
    const state = await foldLog(this.#log, this.#kept ?? (await this.#log.readBase()), head);
    if (this.#isStopped) return state;
    this.#kept = state;
    this.#cancelDrop();
    this.#cancelDrop = startTimer(this.#clock, keepMs, () => {
      this.#kept = undefined;
    });
    return state;
  }
}
