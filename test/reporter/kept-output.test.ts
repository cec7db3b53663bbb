import { expect, test } from "vitest";
import { KeptOutput } from "./kept-output.ts";

test("output is kept under the name of its test", () => {
  const kept = new KeptOutput();
  kept.add("stdout of one", "first\nsecond\n");
  kept.add("stdout of one", "third\n");
  kept.add("stderr of two", "fourth");
  expect(kept.take()).toEqual([
    "--- stdout of one",
    "first",
    "second",
    "third",
    "--- stderr of two",
    "fourth",
  ]);
  expect(kept.take()).toEqual([]);
});

test("only the newest lines are kept, and the others counted", () => {
  const kept = new KeptOutput(2);
  kept.add("a", "1\n2\n3");
  expect(kept.take()).toEqual(["... 2 earlier lines left out", "2", "3"]);
});

test("a line of any length is bounded", () => {
  const kept = new KeptOutput();
  kept.add("a", "x".repeat(10_000));
  expect(kept.take()[1]).toHaveLength(2003);
});
