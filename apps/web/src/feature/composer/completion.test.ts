import { describe, expect, test } from "vitest";
import { completed, isComplete, matchCommands, triggerAt } from "./completion.ts";

describe("what can be completed", () => {
  test("a slash at the beginning starts a command, anywhere else it is a slash", () => {
    expect(triggerAt("/pl", 3)).toEqual({ type: "command", query: "pl", start: 0, end: 3 });
    expect(triggerAt("and/or", 6)).toBeUndefined();
    expect(triggerAt("/plan now", 9)).toBeUndefined();
  });

  test("an at sign starts a file, unless it is inside a word", () => {
    expect(triggerAt("see @src/a", 10)).toEqual({
      type: "path",
      query: "src/a",
      start: 4,
      end: 10,
    });
    expect(triggerAt("line\n@", 6)).toEqual({ type: "path", query: "", start: 5, end: 6 });
    expect(triggerAt("me@example.org", 14)).toBeUndefined();
    expect(triggerAt("@src done", 9)).toBeUndefined();
  });

  test("the whole word around the caret is meant", () => {
    expect(triggerAt("@source.ts x", 4)).toEqual({ type: "path", query: "sou", start: 0, end: 10 });
  });
});

describe("commands", () => {
  const commands = [{ name: "replan" }, { name: "plan-more" }, { name: "plan", description: "d" }];

  test("the exact one is first, then those that begin so, then those that contain it", () => {
    expect(matchCommands(commands, "PLAN").map(({ value }) => value)).toEqual([
      "plan",
      "plan-more",
      "replan",
    ]);
    expect(matchCommands(commands, "nothing")).toEqual([]);
    expect(matchCommands(commands, "")).toHaveLength(3);
  });
});

describe("completing", () => {
  test("the word is replaced, and the caret stands behind it", () => {
    const text = "see @so and";
    const trigger = { type: "path", query: "so", start: 4, end: 7 } as const;
    expect(completed(text, trigger, { value: "src/a.ts" })).toEqual({
      text: "see @src/a.ts and",
      caret: 13,
    });
  });

  test("a blank follows at the end of the text, but not after a directory", () => {
    const trigger = { type: "path", query: "s", start: 0, end: 2 } as const;
    expect(completed("@s", trigger, { value: "a.ts" }).text).toBe("@a.ts ");
    expect(completed("@s", trigger, { value: "src/", isOpenEnded: true }).text).toBe("@src/");
  });

  test("a complete word is distinguished from one that is not", () => {
    const trigger = { type: "command", query: "plan", start: 0, end: 5 } as const;
    expect(isComplete(trigger, { value: "plan" })).toBe(true);
    expect(isComplete(trigger, { value: "plans" })).toBe(false);
  });
});
