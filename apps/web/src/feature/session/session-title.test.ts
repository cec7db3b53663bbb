import { expect, test } from "vitest";
import { forkTitle } from "./session-title.ts";

test("a copy has a title of its own, and so does a copy of a copy", () => {
  expect(forkTitle("Fix the tests")).toBe("Fork of Fix the tests");
  expect(forkTitle("Fork of Fix the tests")).toBe("Fork of Fix the tests (2)");
  expect(forkTitle("Fork of Fix the tests (2)")).toBe("Fork of Fix the tests (3)");
  expect(forkTitle("x".repeat(500)).length).toBeLessThanOrEqual(500);
});
