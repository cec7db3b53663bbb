import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { SupervisedProcess } from "./supervised-process.ts";

test("what an agent writes to stderr is reported line by line, with its session and how it ended", async () => {
  const entries: unknown[][] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void entries.push([level, message, facts]);
  const logger = { debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
  const script =
    'process.stderr.write("one\\ntw"); process.stderr.write("o\\n"); process.exitCode = 3';
  const agent = new SupervisedProcess({
    command: process.execPath,
    args: ["-e", script],
    cwd: tmpdir(),
    env: {},
    sessionId: "s1",
    logger,
  });
  agent.stdout.resume();
  await agent.exited;
  await expect
    .poll(() => entries.filter(([, message]) => String(message).includes("stderr")))
    .toHaveLength(2);
  expect(entries).toContainEqual([
    "debug",
    "agent wrote to stderr",
    expect.objectContaining({ session: "s1", stderr: "two" }),
  ]);
  expect(entries).toContainEqual([
    "warn",
    "agent process ended with an error",
    expect.objectContaining({ code: 3 }),
  ]);
});
