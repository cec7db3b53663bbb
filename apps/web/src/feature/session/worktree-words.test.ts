import { expect, test } from "vitest";
import { heldWords, isOnlyUnmerged, lossWords } from "./worktree-words.ts";

const clean = { is_present: true, uncommitted: 0, untracked: 0, unmerged: 0, keep_reasons: [] };

test("what would be lost is counted, and a clean worktree loses nothing", () => {
  expect(lossWords(clean)).toBe("");
  expect(
    lossWords({
      ...clean,
      uncommitted: 1,
      untracked: 2,
      unmerged: 3,
      keep_reasons: ["uncommitted", "untracked", "unmerged", "in_progress"],
    }),
  ).toBe(
    "1 file with uncommitted changes, 2 new files, 3 commits on no other branch and a merge or rebase that has not ended",
  );
});

test("what is locked or used by another session stays, whatever is chosen", () => {
  expect(heldWords({ ...clean, keep_reasons: ["locked"] })).toBe("It is locked, so it stays.");
  expect(heldWords({ ...clean, keep_reasons: ["unmerged", "in_use"] })).toMatch(/^Another session/);
  expect(heldWords({ ...clean, keep_reasons: ["unmerged"] })).toBeUndefined();
});

test("commits alone are kept by their branch", () => {
  expect(isOnlyUnmerged({ ...clean, unmerged: 1, keep_reasons: ["unmerged"] })).toBe(true);
  expect(isOnlyUnmerged({ ...clean, keep_reasons: ["unmerged", "untracked"] })).toBe(false);
  expect(isOnlyUnmerged(clean)).toBe(false);
});
