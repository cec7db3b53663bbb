import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { HostProcess } from "./hosts/host-process.ts";
import { builtCli } from "./support/built-program.ts";

const token = "own-postgres-token-0123456789-abcdefghijklmnop";

/** A `turnwire serve --store postgres` in a directory that only its owner may enter. */
async function prepareHost() {
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
      TURNWIRE_STORE: "postgres",
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
async function findPostgres(data: string) {
  const text = await readFile(join(data, "postgres", "postmaster.pid"), "utf8");
  const [pid = "", , , , sockets = ""] = text.split("\n");
  return { pid: Number(pid), sockets };
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Says something and reads the session from its beginning to the end of that turn. */
async function converse(host: HostProcess, id: string, turns: number): Promise<SessionEvent[]> {
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

test("turnwire serve --store postgres keeps its sessions over a stop and over kill -9, and leaves no Postgres behind", async () => {
  const { host, data } = await prepareHost();
  await host.start();
  expect((await stat(data)).mode & 0o077).toBe(0);
  const first = await converse(host, "kept", 1);
  const stopped = await findPostgres(data);
  expect(isRunning(stopped.pid)).toBe(true);
  expect(existsSync(stopped.sockets)).toBe(true);
  expect(await host.drain()).toBe(0);
  expect(isRunning(stopped.pid)).toBe(false);
  expect(existsSync(stopped.sockets)).toBe(false);

  await host.start();
  const second = await converse(host, "kept", 2);
  expect(second.slice(0, first.length)).toEqual(first);
  const left = await findPostgres(data);
  expect(existsSync(left.sockets)).toBe(true);
  await host.kill();

  await host.start();
  const third = await converse(host, "kept", 3);
  expect(third.slice(0, second.length)).toEqual(second);
  expect(third.map(({ seq }) => seq)).toEqual(third.map((_event, index) => index + 1));
  expect(isRunning(left.pid)).toBe(false);
  expect(existsSync(left.sockets)).toBe(false);

  const last = await findPostgres(data);
  await host.drain();
  expect(isRunning(last.pid)).toBe(false);
});

test("a second signal, which ends turnwire at once, leaves no Postgres behind either", async () => {
  const { host, data } = await prepareHost();
  await host.start();
  const client = createClient({ url: `http://127.0.0.1:${host.port}`, token });
  await client.sessions.create({ session_id: "busy" });
  await client.sessions.message("busy", { message: "/permission" });
  // The turn does not end before somebody answers.
  for await (const { type } of client.events("busy")) if (type === "permission_request") break;
  const { pid } = await findPostgres(data);
  const ended = host.drain();
  await expect.poll(() => client.health().then(String, String)).toMatch(/stopping/);
  await host.drain();
  expect(await ended).not.toBe(0);
  await expect.poll(() => isRunning(pid)).toBe(false);
});

test("turnwire ends with an error when its Postgres is killed, and continues at the next start", async () => {
  const { host, data } = await prepareHost();
  await host.start();
  const first = await converse(host, "kept", 1);
  process.kill((await findPostgres(data)).pid, "SIGKILL");
  expect(await host.exited()).toBe(1);
  await host.start();
  const second = await converse(host, "kept", 2);
  expect(second.slice(0, first.length)).toEqual(first);
});

test("projects that were added and directories that were trusted while no server ran are in the store after its start", async () => {
  const { host, data, directory, runCli } = await prepareHost();
  const project = join(await realpath(directory), "app");
  await mkdir(project);
  await writeFile(join(project, "CLAUDE.md"), "Be kind.");
  await runCli("projects", "add", project);
  await runCli("trust", project, "--yes");
  await host.start();
  const openClient = () => createClient({ url: `http://127.0.0.1:${host.port}`, token });
  const client = openClient();
  const { projects } = await client.projects.list();
  expect(projects.map(({ path }) => path)).toContain(project);
  expect((await client.trust.get(project)).status).toBe("trusted");
  await client.trust.remove(project);
  await host.drain();
  await host.start();
  expect((await openClient().trust.get(project)).status).toBe("untrusted");
  expect(await readFile(join(data, "trust.json"), "utf8")).not.toContain(project);
});
