import { join, resolve } from "node:path";
import { loadDriver } from "./driver.ts";
import { storeErrorFrom } from "./failure.ts";
import { type ProcessLock, takeProcessLock } from "./process-lock.ts";
import { makePrivate } from "./store-file.ts";

/**
 * Makes this process the only server of a data directory, whatever store it has: the directory also
 * holds the server's address and its list of agents. Rejects with a StoreError, `locked` while
 * another process has it.
 */
export async function lockDataDirectory(directory: string): Promise<ProcessLock> {
  const path = join(resolve(directory), "server.lock");
  try {
    await makePrivate(path, { isCreated: true });
    return takeProcessLock(await loadDriver(), path);
  } catch (error) {
    throw storeErrorFrom(error, path);
  }
}
