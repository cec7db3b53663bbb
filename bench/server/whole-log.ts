import type { ReadableLog } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";

/** The log behind its readers' side: benches write events without an agent. */
export function wholeLog(log: ReadableLog): EventLog {
  if (log instanceof EventLog) return log;
  throw new Error("This log is not an EventLog.");
}
