import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  findRunning,
  findServer,
  readAddress,
  removeAddress,
  writeAddress,
} from "./server-address.ts";
import { TestMachine } from "../test-support/cli-run.ts";

/** No process has it: above the largest pid that Linux gives. */
const DEAD_PID = 4_194_305;

describe("the address of a server", () => {
  let machine: TestMachine;
  let data: string;

  beforeEach(async () => {
    machine = await TestMachine.create();
    data = machine.dataDirectory;
  });

  afterEach(() => machine.remove());

  test("is written for this user only, and taken away by its writer", async () => {
    await writeAddress(data, { url: "http://127.0.0.1:1", pid: 42 });
    expect((await stat(data)).mode & 0o777).toBe(0o700);
    expect((await stat(join(data, "server.json"))).mode & 0o777).toBe(0o600);
    expect(await readAddress(data)).toEqual({ url: "http://127.0.0.1:1", pid: 42 });
    await removeAddress(data, 43);
    expect(await readdir(data)).toEqual(["server.json"]);
    await removeAddress(data, 42);
    expect(await readdir(data)).toEqual([]);
    await removeAddress(data, 42);
  });

  test("counts for nothing when its server is dead", async () => {
    const { url, stop } = await machine.serve("--data", join(machine.home, "other"));
    await writeAddress(data, { url, pid: DEAD_PID });
    expect(await findRunning(data)).toBeUndefined();
    await writeAddress(data, { url, pid: process.pid });
    expect(await findRunning(data)).toEqual({ url, pid: process.pid });
    await stop();
    expect(await findRunning(data)).toBeUndefined();
  });

  test("counts for nothing when something else answers there", async () => {
    const stranger = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as AddressInfo;
    await writeAddress(data, { url: `http://127.0.0.1:${port}`, pid: process.pid });
    expect(await findRunning(data)).toBeUndefined();
    await new Promise((resolve) => stranger.close(resolve));
  });

  test.each(["", "{", "[]", "null", '{"url":1,"pid":2}', '{"url":"x"}'])(
    "survives a file that says %j",
    async (text) => {
      await mkdir(data);
      await writeFile(join(data, "server.json"), text);
      expect(await findRunning(data)).toBeUndefined();
    },
  );

  test("is the given one before the running one, and its token the variable before the file", async () => {
    await mkdir(data);
    await writeFile(join(data, "token"), "from-file\n");
    const query = { url: "http://given", dataDirectory: data };
    expect(await findServer({ ...query, env: {} })).toEqual({
      url: "http://given",
      token: "from-file",
    });
    expect(await findServer({ ...query, env: { TURNWIRE_TOKEN: "from-env" } })).toEqual({
      url: "http://given",
      token: "from-env",
    });
    expect(await findServer({ ...query, url: undefined, env: {} })).toBeUndefined();
  });
});
