import type { SessionEvent } from "@turnwire/protocol";
import * as fc from "fast-check";
import { LogWriter } from "./event-log-arbitrary/log-writer.ts";
import { wish } from "./event-log-arbitrary/wish.ts";

export interface EventLogOptions {
  /** The most steps a log is made of; a step gives a few events at most. */
  readonly maxSteps?: number;
  /** True: the log ends in `session_closed`, with every turn and request ended. */
  readonly isClosed?: boolean;
}

/**
 * Logs that keep the grammar of PROTOCOL.md §7 and else do what they like: turns, queues, steering,
 * nested sub-agents, requests, late output, rollbacks, hostile ids and texts. They shrink to short ones.
 */
export function eventLogArbitrary(options: EventLogOptions = {}): fc.Arbitrary<SessionEvent[]> {
  const { maxSteps = 80, isClosed = false } = options;
  return fc.array(wish, { maxLength: maxSteps, size: "max" }).map((wishes) => {
    const writer = new LogWriter();
    for (const each of wishes) writer.write(each);
    if (isClosed) writer.close();
    return writer.events;
  });
}
