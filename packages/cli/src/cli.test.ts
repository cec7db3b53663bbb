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

  test("has a variable for every option of serve but --json", () => {
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
