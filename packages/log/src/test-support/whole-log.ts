import { EventLog } from "../event-log.ts";
import type { ReadableLog } from "../readable-log.ts";

/** The log behind its readers' side, for tests that write events without an agent. */
export function wholeLog(log: ReadableLog): EventLog {
  if (log instanceof EventLog) return log;
  throw new Error("This log is not an EventLog.");
}
