import { expect, test } from "vitest";
import { rangeFrom } from "./byte-range.ts";

const part = (start: number, end: number) => ({ type: "part", range: { start, end } });

test.each([
  [undefined, { type: "whole" }],
  ["bytes=0-0", part(0, 1)],
  ["bytes=10-19", part(10, 20)],
  ["bytes=90-", part(90, 100)],
  ["bytes=90-900", part(90, 100)],
  ["bytes=-10", part(90, 100)],
  ["bytes=-900", part(0, 100)],
  ["bytes=100-", { type: "unsatisfiable" }],
  ["bytes=100-200", { type: "unsatisfiable" }],
  ["bytes=-0", { type: "unsatisfiable" }],
  ["bytes=5-4", { type: "whole" }],
  ["bytes=-", { type: "whole" }],
  ["bytes=0-1,5-6", { type: "whole" }],
  ["lines=0-1", { type: "whole" }],
  ["bytes=999999999999999999-", { type: "whole" }],
])("the range %s of 100 bytes is %j", (header, wish) => {
  expect(rangeFrom(header, 100)).toEqual(wish);
});

test("nothing has no part", () => {
  expect(rangeFrom("bytes=0-", 0)).toEqual({ type: "unsatisfiable" });
  expect(rangeFrom(undefined, 0)).toEqual({ type: "whole" });
});
