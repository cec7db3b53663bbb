import { StoreError } from "../../store-error.ts";
import { type OpenDatabase, sqliteCode } from "./driver.ts";
import { storeErrorFrom } from "./failure.ts";

const SQLITE_BUSY = 5;

/** Held until it is released or the process ends. */
export interface ProcessLock {
  release(): void;
}

/**
 * Makes this process the only one with the store: an exclusive transaction on a file of its own, an
 * operating system lock that dies with the process. The file stays; removing it would let two in.
 */
export function takeProcessLock(openDatabase: OpenDatabase, lockPath: string): ProcessLock {
  const database = openDatabase(lockPath);
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE");
  } catch (error) {
    database.close();
    if (sqliteCode(error) !== SQLITE_BUSY) throw storeErrorFrom(error, lockPath);
    throw new StoreError(
      "locked",
      `another Turnwire has this open (it holds ${lockPath}): stop it or give this one another path`,
      { cause: error },
    );
  }
  return {
    release: () => {
      database.exec("ROLLBACK");
      database.close();
    },
  };
}
