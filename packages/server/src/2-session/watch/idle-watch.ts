import { type Clock, startTimer } from "@turnwire/base";

export interface IdleWatchOptions {
  readonly clock: Clock;
  readonly idleMs: number;
  /** Whether nothing runs and nothing waits. */
  readonly canHibernate: () => boolean;
  readonly onIdle: () => void;
}

/** Notices that a session has had neither work, input nor subscriber for a while. */
export class IdleWatch {
  readonly #options: IdleWatchOptions;
  #subscribers = 0;
  #isStopped = false;
  #cancelTimer: () => void = () => undefined;

  constructor(options: IdleWatchOptions) {
    this.#options = options;
  }

  /** Something happened: the waiting time starts again. */
  touch(): void {
    const { clock, idleMs, canHibernate, onIdle } = this.#options;
    this.#cancelTimer();
    if (this.#isStopped || this.#subscribers > 0) return;
    this.#cancelTimer = startTimer(clock, idleMs, () => {
      if (canHibernate()) onIdle();
      else this.touch();
    });
  }

  /** Nothing is idle until the returned function was called. */
  attach(): () => void {
    this.#subscribers += 1;
    this.#cancelTimer();
    let isAttached = true;
    return () => {
      if (!isAttached) return;
      isAttached = false;
      this.#subscribers -= 1;
      this.touch();
    };
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancelTimer();
  }
}
