import { type OpenRequest, type SessionEvent, toolCallDeadline } from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";

export interface RequestExpiryOptions {
  readonly clock: Clock;
  /** An open request as it is now. */
  readonly request: (id: string) => OpenRequest | undefined;
  readonly onExpired: (id: string) => void;
}

/**
 * Calls back for each request that is not answered by the time it carries. A tool call that a page
 * has claimed gets more time; that is looked at when the time it had is over.
 */
export class RequestExpiry {
  readonly #options: RequestExpiryOptions;
  readonly #timers = new Map<string, () => void>();
  #isStopped = false;

  constructor(options: RequestExpiryOptions) {
    this.#options = options;
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
    this.#wait(id, Date.parse(expiresAt));
  }

  #wait(id: string, deadline: number): void {
    const { clock, onExpired } = this.#options;
    const ms = deadline - clock.now();
    if (ms <= 0) {
      onExpired(id);
      return;
    }
    const cancel = startTimer(clock, ms, () => {
      this.#timers.delete(id);
      this.#wait(id, this.#extended(id) ?? deadline);
    });
    this.#timers.set(id, cancel);
  }

  #extended(id: string): number | undefined {
    const request = this.#options.request(id);
    return request?.type === "tool_call_request" ? toolCallDeadline(request) : undefined;
  }

  #cancel(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }
}
