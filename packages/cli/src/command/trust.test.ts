import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { claude } from "@turnwire/runtime-claude";
import { demo } from "@turnwire/runtime/demo";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

let machine: TestMachine;

beforeEach(async () => {
  machine = await TestMachine.create();
  const { configuration } = claude();
  machine.createRuntimes = async () => [
    { ...demo({ delayMs: 0 }), ...(configuration && { configuration }) },
  ];
  await writeFile(join(machine.cwd, "CLAUDE.md"), "Be brief.");
  await mkdir(join(machine.cwd, ".claude"));
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "make check\u001b[2J" }] }] };
  await writeFile(join(machine.cwd, ".claude/settings.json"), JSON.stringify({ hooks }));
});

afterEach(() => machine.remove());

/** Runs the command on a terminal on which a person types. */
function answer(text: string, ...args: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  stdin.end(text);
  return machine.run(["trust", ...args], { stdin });
}

describe.each(["with a server", "without a server"])("turnwire trust %s", (how) => {
  let stop: (() => Promise<number>) | undefined;

  beforeEach(async () => {
    stop = how === "with a server" ? (await machine.serve()).stop : undefined;
  });

  afterEach(async () => {
    await stop?.();
  });

  test("shows what was found, asks, and trusts it", async () => {
    const asked = await answer("y\n");
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toContain("is not trusted");
    expect(asked.stdout).toMatch(/hook +\.claude\/settings\.json +Stop +yes +make check/);
    expect(asked.stdout).not.toContain("\u001b[2J");
    expect(asked.stdout).toMatch(/Not covered.*\n {2}- The files that make runs in turn\./);
    expect(asked.stdout).toContain(`Trusted ${machine.cwd}.`);
    expect((await answer("")).stdout).toContain("is trusted: all of this is in force.");
    expect((await machine.run(["trust", "--list"])).stdout).toContain(machine.cwd);
    const stored = await readFile(join(machine.dataDirectory, "trust.json"), "utf8");
    expect(JSON.parse(stored)).toMatchObject({ directories: [{ path: machine.cwd }] });
  });

  test.each(["n\n", "\n", ""])("trusts nothing after %j", async (text) => {
    expect(await answer(text)).toMatchObject({ code: 1 });
    expect((await machine.run(["trust", "--list"])).stdout).toContain("No directory is trusted");
  });

  test("asks no one in a script: --yes trusts it", async () => {
    const refused = await machine.run(["trust"]);
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("--yes");
    expect(await machine.run(["trust", ".", "--yes"])).toMatchObject({ code: 0, stderr: "" });
    const shown = await machine.run(["trust", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "trusted", path: machine.cwd });
  });

  test("takes trust back, and says so where there was none", async () => {
    await machine.run(["trust", "--yes"]);
    expect((await machine.run(["trust", "--remove"])).code).toBe(0);
    const shown = await machine.run(["trust", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ status: "untrusted" });
    expect((await machine.run(["trust", "--remove"])).code).not.toBe(0);
  });
});

describe("turnwire serve --trust", () => {
  test("trusts a directory as it is at the start", async () => {
    const { stop } = await machine.serve("--trust", ".");
    expect(await (await machine.client()).trust.get(machine.cwd)).toMatchObject({
      status: "trusted",
    });
    await stop();
  });

  test("names a path that is not a directory", async () => {
    const failed = await machine.run(["serve", "--trust", "nowhere"]);
    expect(failed).toMatchObject({ code: 2 });
    expect(failed.stderr).toContain("--trust nowhere");
  });
});
