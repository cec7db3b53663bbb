import { constants } from "node:fs";
import { mkdir, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { defined } from "@turnwire/base";
import { ClientError, createClient, type TurnwireClient } from "@turnwire/client";
import { CliError } from "../error/cli-error.ts";

/** A server that runs on this machine, as its data directory states. */
export interface ServerAddress {
  readonly url: string;
  readonly pid: number;
}

/** A server and how to talk to it. */
export interface Connection {
  readonly url: string;
  readonly token: string | undefined;
}

const HEALTH_TIMEOUT_MS = 3000;

function addressPath(dataDirectory: string): string {
  return join(dataDirectory, "server.json");
}

export function tokenPath(dataDirectory: string): string {
  return join(dataDirectory, "token");
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return undefined;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CliError("data_unusable", `${path} cannot be read (${reason}); correct its rights.`, {
      cause: error,
    });
  }
}

/** Foreign data: anybody who owns the directory may have written the file. */
function addressFrom(text: string): ServerAddress | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof parsed !== "object" || parsed === null) return undefined;
  if (!("url" in parsed && "pid" in parsed)) return undefined;
  const { url, pid } = parsed;
  return typeof url === "string" && typeof pid === "number" ? { url, pid } : undefined;
}

/** The file names one server; it is written whole, then put in place. */
export async function writeAddress(dataDirectory: string, address: ServerAddress): Promise<void> {
  await mkdir(dataDirectory, { recursive: true, mode: 0o700 });
  const path = addressPath(dataDirectory);
  const draft = `${path}.${address.pid}`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW;
  const file = await open(draft, flags, 0o600);
  try {
    await file.writeFile(`${JSON.stringify(address)}\n`);
  } finally {
    await file.close();
  }
  await rename(draft, path);
}

/** Takes the file away, unless another server has written its own meanwhile. */
export async function removeAddress(dataDirectory: string, pid: number): Promise<void> {
  const address = await readAddress(dataDirectory);
  if (address?.pid !== pid) return;
  try {
    await unlink(addressPath(dataDirectory));
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/** What the file says, whether or not that server still runs. */
export async function readAddress(dataDirectory: string): Promise<ServerAddress | undefined> {
  const text = await readIfThere(addressPath(dataDirectory));
  return text === undefined ? undefined : addressFrom(text);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** What a server says of itself. */
export interface ServerHealth {
  /** Why it cannot do its work, when it cannot. */
  readonly problem?: string;
}

/** How the server at an address is; undefined where no Turnwire answers. */
export async function askHealth(url: string): Promise<ServerHealth | undefined> {
  try {
    const { version } = await createClient({ url, timeoutMs: HEALTH_TIMEOUT_MS }).health();
    return typeof version === "string" ? {} : undefined;
  } catch (error) {
    // Nothing there, another program, or a server that is stopping: all the same to the caller.
    if (!(error instanceof ClientError) || error.error?.code !== "store_unavailable") {
      return undefined;
    }
    return { problem: error.error.message };
  }
}

/** The server that the data directory names, if its process lives, whether or not it answers. */
export async function findHolder(dataDirectory: string): Promise<ServerAddress | undefined> {
  const address = await readAddress(dataDirectory);
  return address && isAlive(address.pid) ? address : undefined;
}

/** The server that runs on this data, if one does; what a dead one left behind does not count. */
export async function findRunning(dataDirectory: string): Promise<ServerAddress | undefined> {
  const address = await findHolder(dataDirectory);
  return address && (await askHealth(address.url)) ? address : undefined;
}

export interface ServerQuery {
  readonly url: string | undefined;
  readonly dataDirectory: string;
  readonly env: NodeJS.ProcessEnv;
}

async function findToken({ dataDirectory, env }: ServerQuery): Promise<string | undefined> {
  const given = env["TURNWIRE_TOKEN"];
  if (given) return given;
  return (await readIfThere(tokenPath(dataDirectory)))?.trim();
}

/** Where the commands of a client go: the given address, or the server of the data directory. */
export async function findServer(query: ServerQuery): Promise<Connection | undefined> {
  const url = query.url ?? (await findRunning(query.dataDirectory))?.url;
  return url === undefined ? undefined : { url, token: await findToken(query) };
}

export function clientFor({ url, token }: Connection): TurnwireClient {
  return createClient({ url, ...defined({ token }) });
}

/** Says how to start a server. */
export function noServer(dataDirectory: string): CliError {
  return new CliError(
    "no_server",
    `No server runs on ${dataDirectory}: start one with "turnwire serve", or name one with --url.`,
  );
}

/** A client for the server that was named or runs; rejects where there is none. */
export async function connect(query: ServerQuery): Promise<TurnwireClient> {
  const connection = await findServer(query);
  if (!connection) throw noServer(query.dataDirectory);
  return clientFor(connection);
}
