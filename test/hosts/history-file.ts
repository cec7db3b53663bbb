import { readFile, writeFile } from "node:fs/promises";
import type { HistoryEntry } from "./history.ts";

/** One line of JSON per entry, in order. */
export async function writeHistory(file: string, history: readonly HistoryEntry[]): Promise<void> {
  await writeFile(file, history.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

/** What `writeHistory` wrote. */
export async function readHistory(file: string): Promise<HistoryEntry[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line !== "");
  return lines.map((line) => JSON.parse(line) as HistoryEntry);
}
