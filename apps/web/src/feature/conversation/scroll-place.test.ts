import { describe, expect, test } from "vitest";
import { isLeaving, isReturning, placeOf } from "./scroll-place.ts";

const end = placeOf({ scrollTop: 600, scrollHeight: 1_000, clientHeight: 400 });
const quiet = { hasChanged: false, isByHand: false };

function at(scrollTop: number, scrollHeight = 1_000, clientHeight = 400) {
  return placeOf({ scrollTop, scrollHeight, clientHeight });
}

describe("the end is left", () => {
  test("by a scroll up in content that did not change, however little", () => {
    expect(isLeaving(end, at(598), quiet)).toBe(true);
    expect(isLeaving(end, at(0), quiet)).toBe(true);
  });

  test("by a person's hand also while the content changes", () => {
    const byHand = { hasChanged: true, isByHand: true };
    expect(isLeaving(end, at(560, 1_300), byHand)).toBe(true);
    expect(isLeaving(end, at(599), byHand)).toBe(true);
  });

  test("not by content that shrank, grew, or did both before the event came", () => {
    expect(isLeaving(end, at(400, 800), quiet)).toBe(false);
    expect(isLeaving(end, at(400, 1_300), quiet)).toBe(false);
    expect(isLeaving(end, at(400), { ...quiet, hasChanged: true })).toBe(false);
  });

  test("not by a list that became taller", () => {
    expect(isLeaving(end, at(540, 1_000, 460), quiet)).toBe(false);
  });

  test("not by a hand that cannot move anything", () => {
    expect(isLeaving(end, at(500, 900), { hasChanged: true, isByHand: true })).toBe(false);
  });
});

test("coming near the end from above returns to it, moving away from it does not", () => {
  expect(isReturning(at(500), at(570))).toBe(true);
  expect(isReturning(at(500), at(540))).toBe(false);
  expect(isReturning(end, at(590))).toBe(false);
});
