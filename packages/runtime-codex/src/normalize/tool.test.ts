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
