import { expect, test } from "vitest";
import { clockText, dateText } from "./clock-time.ts";

test("a time is short for the eye and whole for who wants to know", () => {
  const time = "2026-11-16T09:05:07.000Z";
  expect(clockText(time)).toMatch(/\d{1,2}.05/);
  expect(dateText(time)).toMatch(/2026/);
  expect(dateText(time).length).toBeGreaterThan(clockText(time).length);
});

test("a time that is not known is not shown", () => {
  expect([clockText(""), dateText("soon")]).toEqual(["", ""]);
});
