import { existsSync } from "node:fs";
import { mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import { expect, onTestFinished, test } from "vitest";
import { converse, findPostgres, isRunning, prepareHost, token } from "./hosts/own-host.ts";
import { newDatabase } from "./support/database.ts";

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

test("projects that were added and directories that were trusted while no server ran are in the store after its start", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const { host, data, directory, runCli } = await prepareHost(database.url);
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
