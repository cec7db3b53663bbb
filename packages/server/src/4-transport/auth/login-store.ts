import { join } from "node:path";
import { limits } from "@turnwire/protocol";
import * as z from "zod";
import { jsonFrom, readWhole, writeWhole } from "@turnwire/log/list";
import { TransportError } from "../http/transport-error.ts";

/** A log-in as it is stored; of its secrets only digests. Times in milliseconds since the epoch. */
export const LoginRecord = z.object({
  id: z.string(),
  /** Which token it was made under: a new token ends all log-ins. */
  server_id: z.string(),
  name: z.string(),
  created_at: z.number(),
  last_seen_at: z.number(),
  cookie_digest: z.string(),
  key_digest: z.string(),
});
export type LoginRecord = z.infer<typeof LoginRecord>;

/** When a log-in ends by itself, in milliseconds since the epoch. */
export function expiryOf({ created_at, last_seen_at }: LoginRecord): number {
  return Math.min(last_seen_at + limits.loginIdleMs, created_at + limits.loginLifeMs);
}

/** Where log-ins outlive a server that has its store to itself. */
export interface LoginStore {
  load(): Promise<readonly LoginRecord[]>;
  /** Replaces everything; resolves when it would outlive a crash. */
  save(records: readonly LoginRecord[]): Promise<void>;
}

const LoginFile = z.object({ logins: z.array(LoginRecord) });

/** Log-ins in `<directory>/logins.json`, readable by the owner only. */
export function createLoginFile(directory: string): LoginStore {
  const path = join(directory, "logins.json");
  return {
    async load() {
      const text = await readLogins(path);
      if (text === undefined) return [];
      const parsed = LoginFile.safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data.logins;
      const message = `the file of log-ins ${path} is damaged; delete it, then every browser logs in again`;
      throw new TransportError("logins_damaged", message, { cause: parsed.error });
    },
    save: (logins) => writeWhole(path, `${JSON.stringify({ logins })}\n`),
  };
}

async function readLogins(path: string): Promise<string | undefined> {
  try {
    return await readWhole(path);
  } catch (cause) {
    const message = `the file of log-ins ${path} cannot be read; delete it, then every browser logs in again`;
    throw new TransportError("logins_damaged", message, { cause });
  }
}
