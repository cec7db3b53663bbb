import { type Clock, startTimer } from "@turnwire/base";

export interface AgentReturnOptions {
  readonly clock: Clock;
  readonly ms: number;
  /** The agent has not come back in time. */
  readonly onLost: () => void;
}

/** Waits for an agent that lives elsewhere and was at work when we lost sight of it. */
export class AgentReturn {
  readonly #options: AgentReturnOptions;
  #settled: Promise<void> = Promise.resolve();
  #settle: () => void = () => undefined;
  #cancelTimer: () => void = () => undefined;

  constructor(options: AgentReturnOptions) {
    this.#options = options;
  }

  /** Resolves at once where no agent is waited for, else when it is back or counts as lost. */
  get settled(): Promise<void> {
    return this.#settled;
  }

  begin(): void {
    const { clock, ms, onLost } = this.#options;
    this.#settled = new Promise((resolve) => (this.#settle = resolve));
    this.#cancelTimer = startTimer(clock, ms, () => {
      onLost();
      this.#settle();
    });
  }

  /** The agent is back, or no one waits for it any more. */
  end(): void {
    this.#cancelTimer();
    this.#settle();
  }
}
