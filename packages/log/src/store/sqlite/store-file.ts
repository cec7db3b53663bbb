import type { Stats } from "node:fs";
import { chmod, lstat, mkdir, open } from "node:fs/promises";
import { dirname } from "node:path";
import { StoreError } from "../../store-error.ts";

/** What was found where a store is about to be opened. */
export interface StoreFile {
  readonly path: string;
  readonly lockPath: string;
  /** False after a clean close, or when somebody removed it. */
  readonly hasWal: boolean;
}

/**
 * Makes the files private to this user before SQLite opens them; SQLite gives `-wal` and `-shm` the
 * mode of the database. Never opens a file that exists: closing it again would drop the locks that
 * SQLite may hold on it in this process.
 */
export async function prepareStoreFile(path: string): Promise<StoreFile> {
  const lockPath = `${path}.lock`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await makePrivate(path, { isCreated: true });
  await makePrivate(lockPath, { isCreated: true });
  await makePrivate(`${path}-shm`, { isCreated: false });
  const hasWal = await makePrivate(`${path}-wal`, { isCreated: false });
  return { path, lockPath, hasWal };
}

/** True when the file was there. */
export async function makePrivate(path: string, options: { isCreated: boolean }): Promise<boolean> {
  const stats = await statsOf(path);
  if (!stats) {
    // Another process may have made it since: then it is looked at again.
    return options.isCreated && !(await isMade(path)) ? makePrivate(path, options) : false;
  }
  if (stats.isSymbolicLink()) throw unusable(path, "is a symbolic link: name the file itself");
  if (!stats.isFile()) throw unusable(path, "is not a file: give the store another path");
  if (process.getuid && stats.uid !== process.getuid()) {
    throw unusable(path, `belongs to user ${stats.uid}: run as that user or give another path`);
  }
  await chmod(path, 0o600);
  return true;
}

/** False when there is one already. */
async function isMade(path: string): Promise<boolean> {
  try {
    await (await open(path, "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

async function statsOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

function unusable(path: string, problem: string): StoreError {
  return new StoreError("unavailable", `${path} ${problem}`);
}
