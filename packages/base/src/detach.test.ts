import { expect, test } from "vitest";
import { detach } from "./detach.ts";
import { errorText } from "./error-text.ts";

test("what a detached promise rejects with is passed on", async () => {
  const failure = new Error("failed");
  const reported = await new Promise((resolve) => {
    detach(Promise.reject(failure), resolve);
  });
  expect(reported).toBe(failure);
});

test("whatever was thrown has a text", () => {
  expect([errorText(new Error("failed")), errorText("text"), errorText(7)]).toEqual([
    "failed",
    "text",
    "7",
  ]);
});
