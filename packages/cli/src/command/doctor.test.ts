import { chmod, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { containmentStatus } from "@turnwire/runtime/containment";
import { checkContainment, checkNode } from "../doctor/machine.ts";
import { writeAddress } from "../connection/server-address.ts";
import { TestMachine } from "../test-support/cli-run.ts";

interface Diagnosis {
  readonly ok: boolean;
  readonly checks: readonly { name: string; status: string; text: string; next?: string }[];
}

describe("turnwire doctor", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  async function diagnose(env: Readonly<Record<string, string>> = {}) {
    const args = ["doctor", "--json", "--port", "0"];
    const { code, stdout } = await machine.run(args, {
      env: { TURNWIRE_STORE: "sqlite", ...env },
    });
    const diagnosis = JSON.parse(stdout) as Diagnosis;
    const find = (name: string) => diagnosis.checks.find((check) => check.name === name);
    return { code, diagnosis, find };
  }

  test("finds a fresh machine fine and leaves nothing on it", async () => {
    const { code, diagnosis, find } = await diagnose();
    expect(code).toBe(0);
    expect(diagnosis.ok).toBe(true);
    expect(find("runtime demo")?.status).toBe("ok");
    expect(find("store")?.text).toMatch(/^SQLite \d+\.\d+\.\d+ works/);
    expect(await readdir(machine.home)).toEqual(["work"]);
  });

  test("sees the server that runs, and does not disturb it", async () => {
    const { url, stop } = await machine.serve("--store", "sqlite");
    const { code, find } = await diagnose();
    expect(code).toBe(0);
    expect(find("server")?.text).toContain(url);
    expect(find("store")?.text).toContain("in use by the running server");
    expect(find("data")?.text).toContain("(mode 700)");
    await stop();
    expect((await diagnose()).find("store")?.text).toMatch(/opens \(SQLite [\d.]+, \d+ kB\)/);
  });

  test("warns of what a dead server left", async () => {
    await writeAddress(machine.dataDirectory, { url: "http://127.0.0.1:1", pid: 4_194_305 });
    const { code, find } = await diagnose();
    expect(code).toBe(0);
    expect(find("server")?.status).toBe("warning");
  });

  test("finds what keeps a server from starting, and says what to do", async () => {
    await mkdir(machine.dataDirectory);
    await chmod(machine.dataDirectory, 0o777);
    await writeFile(join(machine.dataDirectory, "turnwire.db"), "this is not a database at all");
    await writeFile(join(machine.dataDirectory, "token"), "short");
    const { code, diagnosis, find } = await diagnose();
    expect(code).toBe(1);
    expect(diagnosis.ok).toBe(false);
    expect(find("data")).toMatchObject({
      status: "problem",
      next: `Run: chmod 700 ${machine.dataDirectory}`,
    });
    expect(find("store")?.status).toBe("problem");
    expect(find("token")?.status).toBe("problem");
    const started = await machine.run(["serve", "--port", "0", "--store", "sqlite"]);
    expect(started.code).toBe(1);
  });

  test("asks the Postgres that the server would use, and never shows its password", async () => {
    const url = "postgres://ann:s3cr3t@127.0.0.1:1/turnwire";
    const { code, diagnosis, find } = await diagnose({ TURNWIRE_STORE: url });
    expect(code).toBe(1);
    expect(find("store")).toMatchObject({
      status: "problem",
      text: "postgres://ann@127.0.0.1:1/turnwire: the Postgres server does not answer (ECONNREFUSED)",
      next: expect.stringContaining("TURNWIRE_STORE"),
    });
    expect(JSON.stringify(diagnosis)).not.toContain("s3cr3t");
    const { stop } = await machine.serve("--store", "memory");
    expect((await diagnose({ TURNWIRE_STORE: url })).find("store")).toMatchObject({
      status: "ok",
      text: "postgres://ann@127.0.0.1:1/turnwire is in use by the running server",
    });
    await stop();
  });

  test("looks at the store that the configuration file names", async () => {
    await mkdir(machine.dataDirectory, { mode: 0o700 });
    const file = join(machine.dataDirectory, "turnwire.config.json");
    await writeFile(file, JSON.stringify({ store: "memory" }));
    const { code, stdout } = await machine.run(["doctor", "--json", "--port", "0"], {
      env: { TURNWIRE_STORE: "" },
    });
    expect(code).toBe(0);
    expect(stdout).toContain("in memory, lost when the server stops");
  });

  test("has a line with a sign for each check, for people", async () => {
    const { stdout } = await machine.run(["doctor", "--port", "0"]);
    expect(stdout).toMatch(/^✓ node +v\d+/);
    expect(stdout).toMatch(/^✓ runtime demo +scripted, touches nothing, the default$/m);
    expect(stdout).toMatch(/All set: turnwire serve would work\.\n$/);
  });

  test("names the command that brings containment, where there is none", async () => {
    const { find } = await diagnose();
    expect(find("containment")).toMatchObject(
      containmentStatus().problem === undefined ? { status: "ok" } : { status: "warning" },
    );
    const problem = "bubblewrap is not installed. Install it with: apt-get install bubblewrap";
    expect(checkContainment({ problem })).toEqual({
      name: "containment",
      status: "warning",
      text: "policy modes allow only plain commands",
      next: "Bubblewrap is not installed. Install it with: apt-get install bubblewrap",
    });
  });

  test("knows a Node that is too old", () => {
    expect(checkNode("v20.18.3").status).toBe("problem");
    expect(checkNode("v20.19.0").status).toBe("ok");
    expect(checkNode("v24.0.0").status).toBe("ok");
  });
});
