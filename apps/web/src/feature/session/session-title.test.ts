import { expect, test } from "vitest";
import { forkTitle, titleOf } from "./session-title.ts";

test("a copy has a title of its own, and so does a copy of a copy", () => {
  expect(forkTitle("Fix the tests")).toBe("Fork of Fix the tests");
  expect(forkTitle("Fork of Fix the tests")).toBe("Fork of Fix the tests (2)");
  expect(forkTitle("Fork of Fix the tests (2)")).toBe("Fork of Fix the tests (3)");
  expect(forkTitle("x".repeat(500)).length).toBeLessThanOrEqual(500);
});

test("a session without a title is named after its directory, one in a worktree after its repository", () => {
  const path = "/home/me/.turnwire/worktrees/app-1/session-2";
  const worktree = { branch: "b", base: "main", base_commit: "c", path, repository: "/code/app" };
  expect(titleOf({ cwd: "/code/app" })).toBe("Untitled in app");
  expect(titleOf({ cwd: path, worktree })).toBe("Untitled in app");
  expect(titleOf({ cwd: `${path}/web`, worktree })).toBe("Untitled in web");
  expect(titleOf({ title: " ", cwd: "/" })).toBe("Untitled session");
});
