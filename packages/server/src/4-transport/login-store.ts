import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { mkdir, open, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { TransportError } from "./transport-error.ts";

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

/** Where log-ins outlive the server. */
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
      const text = await readUnlessMissing(path);
      if (text === undefined) return [];
      const parsed = LoginFile.safeParse(jsonFrom(text));
      if (parsed.success) return parsed.data.logins;
      const message = `the file of log-ins ${path} is damaged; delete it, then every browser logs in again`;
      throw new TransportError("logins_damaged", message, { cause: parsed.error });
    },
    save: (logins) => writeWhole(directory, path, `${JSON.stringify({ logins })}\n`),
  };
}

async function readUnlessMissing(path: string): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      return await file.readFile("utf8");
    } finally {
      await file.close();
    }
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined;
    const message = `the file of log-ins ${path} cannot be read; delete it, then every browser logs in again`;
    throw new TransportError("logins_damaged", message, { cause });
  }
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Written under another name, then renamed: a crash leaves the old file or the new one. */
async function writeWhole(directory: string, path: string, text: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  try {
    const file = await open(draft, "wx", 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}
