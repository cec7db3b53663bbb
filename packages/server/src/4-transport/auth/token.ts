import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { link, mkdir, open, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { SharedValues } from "@turnwire/log";
import { writeWhole } from "@turnwire/log/list";
import { TransportError } from "../http/transport-error.ts";

/** 128 bits take 22 characters of base64url; less can be guessed. */
const STRONG_TOKEN = /^[!-~]{22,512}$/;

const SHARED_TOKEN = "token";

/** A token that cannot be guessed. */
export function randomToken(): string {
  return randomBytes(32).toString("base64url");
}

/** The server's token: read from `<directory>/token`, which is made with a random one if missing. */
export async function loadToken(directory: string): Promise<string> {
  const path = join(directory, "token");
  await mkdir(directory, { recursive: true, mode: 0o700 });
  return (await readToken(path)) ?? (await createToken(path));
}

/**
 * The token that all hosts of a store use: kept in the store by the first of them, and in
 * `<directory>/token`, where this machine's own commands read it.
 */
export async function loadSharedToken(values: SharedValues, directory: string): Promise<string> {
  const path = join(directory, "token");
  const stored = await values.readValue(SHARED_TOKEN);
  const token = stored ?? (await offerToken(values, await loadToken(directory)));
  checkToken(token, "the token in the store");
  if ((await readToken(path)) !== token) await writeWhole(path, `${token}\n`);
  return token;
}

/** The first token that was offered is that of everybody. */
async function offerToken(values: SharedValues, token: string): Promise<string> {
  if (await values.writeValue(SHARED_TOKEN, token, { onlyIf: null })) return token;
  const winner = await values.readValue(SHARED_TOKEN);
  if (winner !== undefined) return winner;
  throw new TransportError(
    "token_unsafe",
    "the token in the store was removed meanwhile; start again",
  );
}

/** Refuses a token that somebody could guess. */
export function checkToken(token: string, source: string): string {
  if (STRONG_TOKEN.test(token)) return token;
  throw new TransportError(
    "token_weak",
    `${source} is not a safe token: it takes at least 22 visible characters without blanks; make one with "openssl rand -hex 32"`,
  );
}

async function readToken(path: string): Promise<string | undefined> {
  const file = await openUnlessMissing(path);
  if (!file) return undefined;
  try {
    const { mode, uid } = await file.stat();
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw unsafe(path, "is not a plain file");
    if (uid !== (process.getuid?.() ?? uid)) throw unsafe(path, "belongs to another user");
    if ((mode & 0o077) !== 0 && process.platform !== "win32") {
      throw unsafe(path, `can be read by others (mode ${(mode & 0o777).toString(8)})`);
    }
    return checkToken((await file.readFile("utf8")).trim(), path);
  } finally {
    await file.close();
  }
}

async function openUnlessMissing(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    if (hasCode(error, "ELOOP")) throw unsafe(path, "is a symbolic link", error);
    throw unsafe(path, "cannot be opened", error);
  }
}

/** Written whole under another name, then linked: half a token is never read, and the first one wins. */
async function createToken(path: string): Promise<string> {
  const token = randomToken();
  const draft = `${path}.${randomBytes(8).toString("hex")}`;
  const file = await open(draft, "wx", 0o600);
  try {
    await file.writeFile(`${token}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  try {
    await link(draft, path);
    return token;
  } catch (error) {
    const winner = hasCode(error, "EEXIST") ? await readToken(path) : undefined;
    if (winner === undefined) throw unsafe(path, "cannot be made", error);
    return winner;
  } finally {
    await unlink(draft);
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function unsafe(path: string, problem: string, cause?: unknown): TransportError {
  return new TransportError(
    "token_unsafe",
    `the token file ${path} ${problem}; delete it and a new one is made`,
    { cause },
  );
}
