import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { serve } from "./command/serve.ts";
import { TestMachine } from "./test-support/cli-run.ts";

const commands = [
  "serve",
  "chat",
  "sessions",
  "send",
  "tail",
  "login",
  "logins",
  "hosts",
  "policy",
  "doctor",
];

describe("turnwire", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  test.each([["--version"], ["-v"]])("tells its version by %s", async (flag) => {
    const { code, stdout } = await machine.run([flag]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  test.each([[["--help"]], [["-h"]], [["help"]]])("shows every command by %j", async (args) => {
    const { code, stdout } = await machine.run(args);
    expect(code).toBe(0);
    for (const name of commands) {
      expect(stdout).toMatch(new RegExp(`^  ${name} `, "m"));
    }
  });

  test.each(commands)("explains %s with examples, the same by help and by --help", async (name) => {
    const { code, stdout } = await machine.run(["help", name]);
    expect(code).toBe(0);
    expect(stdout).toContain("Examples");
    expect((await machine.run([name, "--help"])).stdout).toBe(stdout);
  });

  test("names the variable and the default of every option that has them", async () => {
    const { stdout } = await machine.run(["help", "serve"]);
    for (const name of [
      "HOST",
      "PORT",
      "DATA",
      "STORE",
      "RUNTIME",
      "RING",
      "IDLE",
      "NO_AUTH",
      "ALLOW_ORIGIN",
      "ROOT",
      "DURABILITY",
      "MAX_LIVE",
    ]) {
      expect(stdout.replaceAll(/\s+/g, " ")).toContain(`TURNWIRE_${name}]`);
    }
    expect(stdout).toContain("default: 4747");
  });

  test("has exactly the commands and the options of serve that the README lists", async () => {
    const readme = await readFile(new URL("../../../README.md", import.meta.url), "utf8");
    const named = Array.from(readme.matchAll(/^\| `turnwire ([a-z]+)/gm), ([, name = ""]) => name);
    const { stdout } = await machine.run(["--help"]);
    const [, listed = ""] = /^Commands\n([^]*?)\n\n/m.exec(stdout) ?? [];
    const commands = Array.from(listed.matchAll(/^ {2}([a-z]+) {2,}/gm), ([, name = ""]) => name);
    expect(named.toSorted()).toEqual(commands.toSorted());
    const row = /^\| `turnwire serve` .*$/m.exec(readme)?.[0] ?? "";
    const flags = new Set(Array.from(row.matchAll(/--([a-z-]+)/g), ([, name = ""]) => name));
    expect([...flags].toSorted()).toEqual(Object.keys(serve.options).toSorted());
    const withoutVariable = Object.entries(serve.options).filter(
      ([, { variable }]) => !variable?.startsWith("TURNWIRE_"),
    );
    expect(withoutVariable.map(([name]) => name)).toEqual(["json"]);
  });

  test("offers the nearest command", async () => {
    for (const args of [["caht"], ["help", "caht"]]) {
      const { code, stdout, stderr } = await machine.run(args);
      expect(code).toBe(2);
      expect(stdout).toBe("");
      expect(stderr).toBe(
        'turnwire: There is no command "caht". Did you mean chat? See: turnwire --help\n',
      );
    }
  });
});
