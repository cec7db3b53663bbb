import { expect, test } from "vitest";
import { placeOf } from "./session-place.ts";

const worktree = {
  branch: "turnwire/fix",
  base: "main",
  base_commit: "0".repeat(40),
  path: "/data/worktrees/fix",
  repository: "/code/site",
};

test("a session in a worktree belongs to the same place in its repository", () => {
  expect(placeOf({ cwd: "/data/worktrees/fix", worktree })).toBe("/code/site");
  expect(placeOf({ cwd: "/data/worktrees/fix/app", worktree })).toBe("/code/site/app");
  expect(placeOf({ cwd: "/data/worktrees/fix2", worktree })).toBe("/code/site");
});

test("any other session belongs to where it works", () => {
  expect(placeOf({ cwd: "/code/api" })).toBe("/code/api");
  expect(placeOf({})).toBeUndefined();
});
