import { expect, test } from "vitest";
import { WireErrorBody, WireErrorCode, wireError, wireErrorStatus } from "../index.ts";

test("every error code has a status of a failure and makes a valid error", () => {
  for (const code of WireErrorCode.options) {
    expect(wireErrorStatus[code]).toBeGreaterThanOrEqual(400);
    const error = wireError(code, "why", { what: 1 });
    expect(WireErrorBody.parse({ error, detail: "why" }).error).toEqual(error);
  }
});

test("an error says that a retry can help only where it can", () => {
  expect(wireError("overloaded", "later")).toEqual({
    code: "overloaded",
    message: "later",
    retryable: true,
  });
  expect(wireError("already_resolved", "too late").retryable).toBe(false);
});
