import { readFileSync } from "node:fs";
import type { Database } from "./driver.ts";
import type { WriterOptions } from "./write.ts";

/**
 * Notices commits that were lost while no process had the store open: the mark of a process that
 * never closed the store is still there, and the log of its last commits (the WAL) is gone, or it
 * wrote with `fast` and the machine has lost its memory since. Every session then gets a new epoch.
 */
export function takeOpenMark(database: Database, options: WriterOptions): void {
  // The process that left the mark is this one. A restart must need no space on the disk.
  if (options.isRestart && options.hasWal) return;
  const [found] = database.prepare("SELECT mark FROM open_mark").all()[0] ?? [];
  const isUnclean = typeof found === "string";
  const isRebooted = found !== "durable" && found !== fastMark();
  const isLost = isUnclean && (!options.hasWal || isRebooted);
  const mark = options.durability === "fast" ? fastMark() : "durable";
  database.exec("BEGIN IMMEDIATE");
  if (isLost) database.exec("UPDATE sessions SET epoch = lower(hex(randomblob(16)))");
  database.prepare("UPDATE open_mark SET mark = ?").run(mark);
  database.exec("COMMIT");
  // Into the main file: the mark must outlive the WAL.
  checkpoint(database, "TRUNCATE");
}

/** Says that all is in the main file; only for the moment before the database is closed. */
export function clearOpenMark(database: Database): void {
  checkpoint(database, "TRUNCATE");
  database.exec("UPDATE open_mark SET mark = NULL");
  checkpoint(database, "TRUNCATE");
}

/** Moves commits from the WAL into the main file; TRUNCATE also empties the WAL. */
export function checkpoint(database: Database, mode: "PASSIVE" | "TRUNCATE"): void {
  database.prepare(`PRAGMA wal_checkpoint(${mode})`).all();
}

function fastMark(): string {
  try {
    return `fast ${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()}`;
  } catch {
    // Not Linux: nothing shows whether the machine was restarted, so assume it was.
    return `fast ${performance.timeOrigin}`;
  }
}
