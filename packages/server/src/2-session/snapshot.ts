import type { SessionState } from "@turnwire/protocol";
import { foldAll, initialState } from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";
import { eventFrom, type ReadableLog, type Store, StoreError } from "@turnwire/log";

const pageSize = 1000;
/** A folded conversation may be large: it is kept only while tabs are being opened. */
const keepMs = 30_000;

/** Folds a session's log on demand, going on from the last time where that is recent. */
export class SnapshotFolder {
  readonly #log: ReadableLog;
  readonly #store: Store;
  readonly #clock: Clock;
  #kept: SessionState | undefined;
  #folding: Promise<SessionState> | undefined;
  #isStopped = false;
  #cancelDrop: () => void = () => undefined;

  constructor(log: ReadableLog, store: Store, clock: Clock) {
    this.#log = log;
    this.#store = store;
    this.#clock = clock;
  }

  /** The state at the head, or somewhat behind it when the log runs fast; `state.seq` tells. */
  current(): Promise<SessionState> {
    this.#folding ??= this.#foldTo(this.#log.head).finally(() => {
      this.#folding = undefined;
    });
    return this.#folding;
  }

  /** The state at an earlier seq, for retention. */
  async at(seq: number): Promise<SessionState> {
    return this.#fold(await this.#base(), seq);
  }

  /** Keeps nothing any more; a fold that is on its way still gives its state. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelDrop();
    this.#kept = undefined;
  }

  async #foldTo(head: number): Promise<SessionState> {
    const state = await this.#fold(this.#kept ?? (await this.#base()), head);
    if (this.#isStopped) return state;
    this.#kept = state;
    this.#cancelDrop();
    this.#cancelDrop = startTimer(this.#clock, keepMs, () => {
      this.#kept = undefined;
    });
    return state;
  }

  async #base(): Promise<SessionState> {
    const base = await this.#store.readBase(this.#log.sessionId);
    return base?.state ?? initialState();
  }

  async #fold(from: SessionState, upTo: number): Promise<SessionState> {
    let state = from;
    while (state.seq < upTo) {
      const page = await this.#log.read(state.seq, Math.min(pageSize, upTo - state.seq));
      state =
        page[0]?.seq === state.seq + 1
          ? foldAll(
              state,
              page.map((stored) => eventFrom(this.#log.sessionId, stored)),
            )
          : await this.#baseAfter(state.seq);
    }
    return state;
  }

  /** Retention has removed the event after this seq: the base that it left stands for it. */
  async #baseAfter(seq: number): Promise<SessionState> {
    const base = await this.#base();
    if (base.seq > seq) return base;
    throw new StoreError("corrupt", `session ${this.#log.sessionId} has no event ${seq + 1}`);
  }
}
