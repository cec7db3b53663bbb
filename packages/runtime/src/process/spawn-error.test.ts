import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { spawnAgentProcess } from "./agent-process.ts";
import { RuntimeError } from "./runtime-error.ts";
import { temporaryDirectory } from "../test-support/child.ts";

async function refusal(options: {
  command?: string;
  args?: string[];
  cwd?: string;
  env?: Record<string, string>;
}): Promise<RuntimeError> {
  const command = { command: process.execPath, args: ["-e", ""], cwd: process.cwd(), env: {} };
  const error: unknown = await spawnAgentProcess({ ...command, ...options }).catch(
    (error: unknown) => error,
  );
  if (!(error instanceof RuntimeError)) throw new Error("It started, or failed without reason.");
  expect(error.code).toBe("spawn_failed");
  expect(error.cause).toBeDefined();
  return error;
}

describe("a command that cannot be started is refused with the next step", () => {
  test("when it does not exist", async () => {
    const { message } = await refusal({ command: "no-such-agent" });
    expect(message).toBe(
      "The command no-such-agent was not found. Install it, or put it on the PATH.",
    );
  });

  test("when its working directory does not exist", async () => {
    const { message } = await refusal({ cwd: "/no/such/place" });
    expect(message).toContain("/no/such/place does not exist");
  });

  test("when its working directory is a file", async () => {
    const file = join(await temporaryDirectory(), "file");
    await writeFile(file, "");
    expect((await refusal({ cwd: file })).message).toContain("not a directory");
  });

  test("when it may not be executed", async () => {
    const file = join(await temporaryDirectory(), "agent");
    await writeFile(file, "#!/bin/sh\n");
    await chmod(file, 0o600);
    expect((await refusal({ command: file })).message).toContain("may not be executed");
  });

  test("when an argument is too long", async () => {
    const { message } = await refusal({ args: ["-e", "", "x".repeat(3_000_000)] });
    expect(message).toContain("through its input instead");
  });

  test("when an argument or a variable holds a NUL byte", async () => {
    expect((await refusal({ args: ["a\0b"] })).message).toContain("NUL byte");
    expect((await refusal({ env: { A: "a\0b" } })).message).toContain("NUL byte");
  });

  test("when it is empty", async () => {
    expect((await refusal({ command: "" })).message).not.toBe("");
  });
});
