import type { HistoryEntry } from "./history.ts";

/** An entry without its time, which the recorder gives it. */
export type NewEntry = HistoryEntry extends infer Entry
  ? Entry extends HistoryEntry
    ? Omit<Entry, "atMs">
    : never
  : never;

/** Collects a history: the order of the calls is its order. */
export class Recorder {
  readonly history: HistoryEntry[] = [];
  readonly #start = performance.now();

  add(entry: NewEntry): void {
    this.history.push({ atMs: this.elapsedMs(), ...entry });
  }

  elapsedMs(): number {
    return Math.round((performance.now() - this.#start) * 10) / 10;
  }
}
