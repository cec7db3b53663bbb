import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";
import { onTestFinished } from "vitest";
import { builtCli } from "../support/built-program.ts";
import { HostProcess } from "./host-process.ts";

export const token = "own-postgres-token-0123456789-abcdefghijklmnop";

/** A `turnwire serve` in a directory that only its owner may enter; with no other store it has a Postgres of its own. */
export async function prepareHost(store = "postgres") {
  const main = await builtCli();
  const directory = await mkdtemp(join(tmpdir(), "turnwire-own-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const host = new HostProcess({
    name: "own",
    directory,
    token,
    root: directory,
    main,
    // No start waits for the lease of a process that was killed.
    env: {
      TURNWIRE_STORE: store,
      TURNWIRE_LEASE_SECONDS: "600",
      TURNWIRE_DRAIN_SECONDS: "600",
    },
  });
  onTestFinished(async () => {
    await host.drain();
  });
  const data = join(directory, "data");
  /** Runs a command of the program beside it. */
  const runCli = (...args: string[]) => {
    const env = { PATH: process.env["PATH"], HOME: directory, TURNWIRE_DATA: data };
    return promisify(execFile)(process.execPath, [main, ...args], { env });
  };
  return { host, data, directory, runCli };
}

/** The Postgres that has the data: its process, and the directory of its socket. */
export async function findPostgres(data: string) {
  const text = await readFile(join(data, "postgres", "postmaster.pid"), "utf8");
  const [pid = "", , , , sockets = ""] = text.split("\n");
  return { pid: Number(pid), sockets };
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Says something and reads the session from its beginning to the end of that turn. */
export async function converse(
  host: HostProcess,
  id: string,
  turns: number,
): Promise<SessionEvent[]> {
  const client = createClient({ url: `http://127.0.0.1:${host.port}`, token });
  if (turns === 1) await client.sessions.create({ session_id: id });
  await client.sessions.message(id, { message: `turn ${turns}` });
  const seen: SessionEvent[] = [];
  for await (const event of client.events(id)) {
    seen.push(event);
    if (seen.filter(({ type }) => type === "done").length === turns) break;
  }
  return seen;
}
