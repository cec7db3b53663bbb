import { describe, expect, test } from "vitest";
import { notesOf, saysDone, verdictOf } from "./last-line.ts";

describe("a done signal", () => {
  test.each([
    ["DONE"],
    ["All of it works now.\nDONE"],
    ["All of it works now.\r\n\r\n  DONE  \r\n\r\n"],
    ["Old Mac\rDONE\r"],
  ])("is taken from the last line: %j", (answer) => {
    expect(saysDone(answer, "DONE")).toBe(true);
  });

  test.each([
    [""],
    ["I will end with DONE"],
    ["DONE."],
    ["`DONE`"],
    ["> DONE"],
    ["**DONE**"],
    ["done"],
    ["DONE\nOne thing is left, though."],
    ["```\nDONE\n```"],
    ["Not DONE"],
  ])("is not given by %j", (answer) => {
    expect(saysDone(answer, "DONE")).toBe(false);
  });
});

describe("a verdict", () => {
  test.each([
    ["PASS", "PASS"],
    ["Good.\n\nPASS\n", "PASS"],
    ["1. The test is missing.\r\nFAIL", "FAIL"],
    ["FAIL\nStill:\nFAIL", "FAIL"],
  ])("of %j is %s", (answer, verdict) => {
    expect(verdictOf(answer)).toBe(verdict);
  });

  test.each([
    [""],
    ["Good."],
    ["PASS or FAIL"],
    ["The tests PASS"],
    ["PASS\nThough one test is missing."],
    ["FAIL\nNo, it is fine after all.\nPASS"],
    ["pass"],
    ["`PASS`"],
  ])("is missing from %j", (answer) => {
    expect(verdictOf(answer)).toBeUndefined();
  });

  test("is not among the notes", () => {
    expect(notesOf("The test is missing.\n\nAlso the docs FAIL to say so.\nFAIL\n")).toBe(
      "The test is missing.\n\nAlso the docs FAIL to say so.",
    );
  });
});
