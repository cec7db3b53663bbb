import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@turnwire/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";
import { programFromSource, SpawnedClis } from "../test-support/spawned-cli.ts";

describe("turnwire serve", () => {
  let machine: TestMachine;
  let clis: SpawnedClis;

  beforeEach(async () => {
    machine = await TestMachine.create();
    clis = await SpawnedClis.create(machine);
  });

  afterEach(async () => {
    await clis.end();
    await machine.remove();
  });

  test("does not take Turnwire's own clone, in which it is started, for a project", async () => {
    clis = new SpawnedClis(machine, programFromSource);
    const { report } = await clis.serve(["--store", "memory"], { TURNWIRE_ROOT: "" });
    const client = await machine.client();
    expect(report.url).toContain("127.0.0.1");
    expect(await client.projects.list()).toEqual({
      projects: [],
      can_add: true,
      home: machine.home,
    });
  });

  test("refuses a second server on the same data whatever the stores, and leaves its files alone", async () => {
    const first = await clis.serve(["--store", "memory"]);
    const files = ["server.json", "agents.json"].map((name) => join(machine.dataDirectory, name));
    const read = () => Promise.all(files.map((path) => readFile(path, "utf8").catch(() => "none")));
    const before = await read();
    // It holds the data but does not answer.
    first.child.kill("SIGSTOP");
    for (const store of ["memory", "sqlite"]) {
      const second = clis.run(["serve", "--port", "0", "--store", store]);
      expect(await second.exited).toEqual({ code: 1, signal: null });
      expect(await second.stderr).toContain(
        `The server at ${first.report.url} (pid ${first.report.pid}), which does not answer, uses the data`,
      );
    }
    expect(await read()).toEqual(before);
    first.child.kill("SIGCONT");
    first.child.kill("SIGTERM");
    expect(await first.exited).toEqual({ code: 0, signal: null });
    const third = await clis.serve(["--store", "memory"]);
    expect((await createClient({ url: third.report.url }).health()).status).toBe("ok");
  });
});
