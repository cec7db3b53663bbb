import { expect, test } from "vitest";
import { errorAdvice, resetAdvice } from "./error-advice.ts";

test("a known code has advice of its own", () => {
  expect(errorAdvice({ code: "rate_limit", retryable: true })).toMatch(/Wait a minute/);
});

test.each(["", "never_seen", "constructor", "toString"])(
  "for an unknown code %j the advice is whether to try again",
  (code) => {
    expect(errorAdvice({ code, retryable: true })).toBe("Sending the message again may help.");
    expect(errorAdvice({ code, retryable: false })).toMatch(/^Change the message/);
  },
);

test("a limit that is reached says when it resets, as long as that is to come", () => {
  const now = Date.parse("2026-11-19T20:00:00Z");
  const limit = { limit_id: "five_hour", label: "5-hour limit", status: "reached" } as const;
  const limits = [{ ...limit, resets_at: "2026-11-19T21:00:00Z" }];
  const adviceAt = (code: string, moment: number) => resetAdvice({ code }, limits, moment);
  expect(adviceAt("rate_limit", now)).toMatch(/^ The 5-hour limit resets at .+\.$/);
  expect(adviceAt("usage_limit_exceeded", now)).not.toBe("");
  expect(adviceAt("overloaded", now)).toBe("");
  expect(adviceAt("rate_limit", Date.parse("2026-11-19T21:00:00Z"))).toBe("");
  expect(resetAdvice({ code: "rate_limit" }, [limit], now)).toBe("");
});
