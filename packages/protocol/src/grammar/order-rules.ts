import type { SessionEvent } from "../event/event.ts";
import { unless, type Broken, type RuleSet } from "./rule.ts";

/** The log counts from 1 without a gap, begins with `session_ready` and ends with `session_closed`. */
export class OrderRules implements RuleSet {
  #seq = 0;
  #isClosed = false;

  check({ seq, type }: SessionEvent): Broken[] {
    const broken = [
      ...unless(seq === this.#seq + 1, "seq_not_contiguous", `seq ${seq} follows ${this.#seq}`),
      ...unless(
        this.#seq > 0 || type === "session_ready",
        "not_ready_first",
        `the log begins with ${type}`,
      ),
      ...unless(!this.#isClosed, "event_after_close", `${type} follows session_closed`),
    ];
    this.#seq = seq;
    this.#isClosed ||= type === "session_closed";
    return broken;
  }
}
