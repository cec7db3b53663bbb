import { expect, test } from "vitest";
import { errorAdvice } from "./error-advice.ts";

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
