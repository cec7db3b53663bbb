import { type Context, signalExitCode, type StopSignal } from "../program/context.ts";

/** How a run is stopped from outside: the first signal asks it to stop its turn and end, a second ends it at once. */
export class Stop {
  readonly #abort = new AbortController();
  readonly #stopListening: () => void;
  #received: StopSignal | undefined;

  constructor({ onSignal, exit }: Pick<Context, "onSignal" | "exit">) {
    this.#stopListening = onSignal((signal) => {
      if (this.#received !== undefined) return exit(signalExitCode[signal]);
      this.#received = signal;
      this.#abort.abort();
      return undefined;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** What the program ends with after a signal; undefined while there was none. */
  get exitCode(): number | undefined {
    return this.#received && signalExitCode[this.#received];
  }

  /** Leaves further signals to others. */
  release(): void {
    this.#stopListening();
  }
}
