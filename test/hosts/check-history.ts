import { checkDelivery } from "./check/delivery.ts";
import { checkFinalLogs, finalLogsOf } from "./check/final-log.ts";
import { checkInputs } from "./check/input.ts";
import { checkTakeovers } from "./check/takeover.ts";
import type { Finding } from "./finding.ts";
import type { HistoryEntry } from "./history.ts";

export interface CheckOptions {
  /** From a fault to the moment when a client sees that another host has taken the session over. */
  readonly takeoverMs: number;
}

/** Every promise that a history shows broken; none for a good one. */
export function checkHistory(
  history: readonly HistoryEntry[],
  { takeoverMs }: CheckOptions,
): Finding[] {
  const logs = finalLogsOf(history);
  return [
    ...checkFinalLogs(history, logs),
    ...checkDelivery(history, logs),
    ...checkInputs(history, logs),
    ...checkTakeovers(history, takeoverMs),
  ];
}
