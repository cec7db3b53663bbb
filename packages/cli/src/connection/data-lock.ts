import { mkdir } from "node:fs/promises";
import { systemClock } from "@turnwire/base";
import type { ProcessLock } from "@turnwire/log";
import { CliError } from "../error/cli-error.ts";

/** How long another command may hold the data. */
const LOCK_MS = 3000;
const RETRY_MS = 50;

/** Holds the data directory: no server, and no other command, writes there at the same time. */
export async function lockDataFor(dataDirectory: string): Promise<ProcessLock> {
  // Loaded here: with a server running nothing of it is needed.
  const { lockDataDirectory, StoreError } = await import("@turnwire/log");
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const end = systemClock.now() + LOCK_MS;
  for (;;) {
    try {
      return await lockDataDirectory(dataDirectory);
    } catch (cause) {
      if (!(cause instanceof StoreError)) throw cause;
      if (cause.code !== "locked") {
        throw new CliError(
          "data_unusable",
          `The data directory cannot be used: ${cause.message}.`,
          { cause },
        );
      }
      if (systemClock.now() >= end) {
        throw new CliError(
          "data_in_use",
          `A server that does not answer uses the data in ${dataDirectory}: stop it, or try again.`,
          { cause },
        );
      }
      await systemClock.wait(RETRY_MS);
    }
  }
}
