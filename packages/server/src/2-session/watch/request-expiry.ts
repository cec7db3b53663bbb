import {
  isAskedByAgent,
  isAskedByProgram,
  isRequest,
  isResolution,
  requestId,
  requestOf,
  type SessionEvent,
  toolCallDeadline,
} from "@turnwire/protocol";
import { type Clock, startTimer } from "@turnwire/base";
import type { Runtime } from "@turnwire/runtime";
import { expire } from "../decide/expire.ts";
import { resolve } from "../decide/resolve.ts";
import type { EffectDispatch } from "./effect-dispatch.ts";
import type { Recorder } from "../record/recorder.ts";

export interface RequestExpiryOptions {
  readonly clock: Clock;
  readonly recorder: Pick<Recorder, "control" | "flush" | "record">;
  readonly dispatch: Pick<EffectDispatch, "now">;
  readonly runtime: Runtime;
  readonly acceptsCommands: () => boolean;
}

/**
 * Ends each request that is not answered by the time it carries. A tool call that a page
 * has claimed gets more time; that is looked at when the time it had is over.
 */
export class RequestExpiry {
  readonly #options: RequestExpiryOptions;
  readonly #timers = new Map<string, () => void>();
  #isStopped = false;

  constructor(options: RequestExpiryOptions) {
    this.#options = options;
  }

  /** Requests of programs from an earlier life of the session still end in time. */
  restore(): void {
    for (const request of Object.values(this.#options.recorder.control.requests)) {
      if (isAskedByProgram(request)) this.observe(request);
    }
  }

  observe(event: SessionEvent): void {
    if (isRequest(event) && event.type !== "budget_request") {
      this.#start(requestId(event), event.data.expires_at);
    } else if (isResolution(event)) this.#cancel(requestId(event));
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
    const { clock } = this.#options;
    const ms = deadline - clock.now();
    if (ms <= 0) {
      this.#expire(id);
      return;
    }
    const cancel = startTimer(clock, ms, () => {
      this.#timers.delete(id);
      const extended = this.#extended(id) ?? deadline;
      // The timer counts: a clock that was set back meanwhile must not make it wait once more.
      if (extended <= deadline) this.#expire(id);
      else this.#wait(id, extended);
    });
    this.#timers.set(id, cancel);
  }

  #extended(id: string): number | undefined {
    const request = requestOf(this.#options.recorder.control, id);
    return request?.type === "tool_call_request" ? toolCallDeadline(request) : undefined;
  }

  #cancel(id: string): void {
    this.#timers.get(id)?.();
    this.#timers.delete(id);
  }

  #expire(id: string): void {
    const { recorder, dispatch, runtime, acceptsCommands } = this.#options;
    // The agent may have ended it in the same tick.
    recorder.flush();
    const request = requestOf(recorder.control, id);
    if (!request || !acceptsCommands()) return;
    if (!isAskedByAgent(request)) {
      recorder.record([resolve(request, "expired")]);
      return;
    }
    const { event, answer } = expire(recorder.control, request, runtime);
    recorder.record([event]);
    dispatch.now({ type: "answer", answer });
  }
}
