import { errorText } from "@turnwire/base";
import { StoreError } from "../../store-error.ts";
import { sqliteCode } from "./driver.ts";

const SQLITE_CORRUPT = 11;
const SQLITE_FULL = 13;
const SQLITE_NOTADB = 26;

/** Turns whatever SQLite, the file system or our own JSON threw into a StoreError. */
export function storeErrorFrom(error: unknown, path: string): StoreError {
  if (error instanceof StoreError) return error;
  const reason = errorText(error);
  const code = sqliteCode(error);
  if (code === SQLITE_NOTADB) {
    return new StoreError("corrupt", `${path} is not a database: move it away`, { cause: error });
  }
  if (code === SQLITE_CORRUPT || error instanceof SyntaxError) {
    return new StoreError("corrupt", `${path} is damaged (${reason}): restore it from a backup`, {
      cause: error,
    });
  }
  if (code === SQLITE_FULL) {
    return new StoreError("unavailable", `no space left for ${path}: free some`, { cause: error });
  }
  return new StoreError("unavailable", `${path} cannot be used: ${reason}`, { cause: error });
}
