// @vitest-environment happy-dom
import { expect, onTestFinished, test } from "vitest";
import { markSeen, seenFrom, seenSeq } from "./seen.ts";

test.each(["", "no json", "null", "{}", '[["a"],[1,2],"x"]'])(
  "whatever is in the storage, nothing breaks: %j",
  (text) => {
    expect([...seenFrom(text)]).toEqual([]);
  },
);

test("the newest event that was seen is kept, for the sessions that were seen last", () => {
  onTestFinished(() => localStorage.clear());
  markSeen("first", 5);
  markSeen("first", 3);
  expect(seenSeq("first")).toBe(5);
  for (let index = 0; index < 300; index += 1) markSeen(`session ${index}`, index);
  expect(seenSeq("first")).toBeUndefined();
  expect(seenSeq("session 0")).toBe(0);
});
