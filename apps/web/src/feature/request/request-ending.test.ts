import { expect, test } from "vitest";
import { endingOf } from "./request-ending.ts";

const answer = { text: "Denied", tone: "bad" } as const;

test("an answer reads in its own words", () => {
  const ended = { status: "resolved", outcome: "answered" } as const;
  expect(endingOf(ended, { answer, isElsewhere: false })).toEqual(answer);
  expect(endingOf(ended, { answer: undefined, isElsewhere: false }).text).toBe("Answered");
});

test("whoever was not first sees that, with what was answered", () => {
  const late = { status: "conflict", outcome: "answered" } as const;
  expect(endingOf(late, { answer, isElsewhere: false }).text).toMatch(/^Denied: someone else/);
  const other = { status: "resolved", outcome: "answered" } as const;
  expect(endingOf(other, { answer, isElsewhere: true }).text).toBe("Denied in another window");
});

test.each([
  ["cancelled", /turn ended/],
  ["expired", /in time/],
  ["orphaned", /agent stopped/],
] as const)("a request that was %s says so", (outcome, words) => {
  const status = outcome === "expired" ? "expired" : "resolved";
  const { text, tone } = endingOf({ status, outcome }, { answer: undefined, isElsewhere: false });
  expect(text).toMatch(words);
  expect(tone).toBe("quiet");
});
