import type { SessionEvent } from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";

/** Calls back for each request that is not answered by the time it carries. */
export class RequestExpiry {
  readonly #clock: Clock;
  readonly #onExpired: (id: string) => void;
  readonly #timers = new Map<string, () => void>();
  #isStopped = false;

  constructor(clock: Clock, onExpired: (id: string) => void) {
    this.#clock = clock;
    this.#onExpired = onExpired;
  }

  observe(event: SessionEvent): void {
    switch (event.type) {
      case "permission_request":
      case "question_request":
      case "hook_request":
      case "tool_call_request":
        return this.#start(event.data.correlation_id, event.data.expires_at);
      case "interrupt":
        return this.#start(event.data.interrupt_id, event.data.expires_at);
      case "permission_resolved":
      case "question_resolved":
      case "hook_resolved":
      case "tool_call_resolved":
        return this.#cancel(event.data.correlation_id);
      case "interrupt_resolved":
        return this.#cancel(event.data.interrupt_id);
      default:
        return undefined;
    }
  }

  /** Final: what is asked from now on runs out by whoever takes over. */
  stop(): void {
    this.#isStopped = true;
    for (const cancel of this.#timers.values()) cancel();
    this.#timers.clear();
  }

  #start(id: string, expiresAt: string | undefined): void {
    if (expiresAt === undefined || this.#isStopped) return;
    const ms = Date.parse(expiresAt) - this.#clock.now();
    if (ms <= 0) {
      this.#onExpired(id);
      return;
    }
    const cancel = startTimer(this.#clock, ms, () => {
      this.#timers.delete(id);
      this.#onExpired(id);
    });
    this.#timers.set(id, cancel);
  }

  #cancel(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }
}
