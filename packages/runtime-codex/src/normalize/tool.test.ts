import { checkGrammar } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { begin, command, completed, item, play, root } from "../test-support/spoken.ts";

describe("a command that a person stopped", () => {
  const output = (delta: string): object => ({
    method: "item/commandExecution/outputDelta",
    params: { threadId: root, turnId: "n1", itemId: "call", delta },
  });
  const stop = completed(root, "n1", "interrupted");

  test("has all that it had written as its result", () => {
    const replay = play(...begin, item("started", command), output("one\n"), output("two\n"));
    expect(replay.take(stop)[0]).toMatchObject({
      type: "tool_result",
      data: { output: "one\ntwo\n", is_error: true },
    });
  });

  test("adds only what it had not written before", () => {
    const replay = play(...begin, item("started", command), output("one\n"), stop);
    const end = { ...command, status: "failed", aggregatedOutput: "one\ntwo\n", exitCode: 137 };
    expect(replay.take(item("completed", end))).toMatchObject([
      { type: "tool_output", data: { text: "two\n" } },
    ]);
    expect(checkGrammar(replay.log)).toEqual([]);
  });
});

describe("a command that outlives its turn", () => {
  test.each([
    [0, "completed"],
    [1, "failed"],
  ])("and ends with code %d is a task that has %s", (exitCode, status) => {
    const replay = play(...begin, item("started", command), completed(root, "n1"));
    expect(replay.drafts).toContainEqual(
      expect.objectContaining({
        type: "task",
        data: expect.objectContaining({ status: "running" }),
      }),
    );
    const end = { ...command, status, aggregatedOutput: "", exitCode };
    expect(replay.take(item("completed", end)).at(-1)).toMatchObject({
      type: "task",
      data: { status },
    });
  });
});

describe("a tool use that was declined", () => {
  const declined = { ...command, status: "declined" };
  const change = { type: "fileChange", id: "call", changes: [] };

  test("because the policy refused it has the words of the policy as its result", () => {
    const decision = {
      tool_use_id: "call",
      tool: "shell",
      verdict: "deny",
      rule: "write-inside",
      reason: "nothing may be written",
      mode: "planner",
      policy_version: "1",
    };
    const params = { threadId: root, turnId: "n1", decision };
    const refused = { method: "turnwire/policy_decision", params };
    const output = expect.stringMatching(/policy .* refused .*planner.*nothing may be written/);
    for (const [begun, ended] of [
      [command, declined],
      [
        { ...change, status: "inProgress" },
        { ...change, status: "declined" },
      ],
    ] as const) {
      const replay = play(...begin, item("started", begun), refused);
      expect(replay.take(item("completed", ended))).toMatchObject([
        { type: "tool_result", data: { output, is_error: true } },
      ]);
    }
  });

  test("otherwise states just that: the answer may be a person's or not", () => {
    const replay = play(...begin, item("started", command));
    expect(replay.take(item("completed", declined))).toMatchObject([
      { data: { output: "The command was declined.", is_error: true } },
    ]);
  });
});
