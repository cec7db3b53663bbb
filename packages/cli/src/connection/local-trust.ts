import { realpath } from "node:fs/promises";
import type { TrustApi } from "@turnwire/client";
import type { Runtime } from "@turnwire/runtime";
import { createTrustFile, TrustedDirectories } from "@turnwire/workspace";
import { systemClock } from "@turnwire/base";
import { CliError } from "../error/cli-error.ts";

/** Trust in a data directory on which no server runs. */
export function openLocalTrust(
  dataDirectory: string,
  runtimes: readonly Runtime[],
): Pick<TrustApi, "get" | "set" | "remove" | "list"> {
  const store = createTrustFile(dataDirectory);
  const trust = new TrustedDirectories({ store, runtimes, clock: systemClock });
  return {
    get: async (path) => trust.get(await realDirectory(path)),
    async set(path, digest) {
      const trusted = await trust.set(await realDirectory(path), digest);
      if (trusted.ok) return trusted.value;
      throw new CliError("data_unusable", trusted.error.message);
    },
    async remove(path) {
      const isRemoved =
        (await trust.remove(path)) || (await trust.remove(await realDirectory(path)));
      if (!isRemoved)
        throw new CliError("usage", `${path} is not trusted: see turnwire trust --list.`);
    },
    list: () => trust.list(),
  };
}

async function realDirectory(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (cause) {
    throw new CliError("usage", `There is no directory ${path}.`, { cause });
  }
}
