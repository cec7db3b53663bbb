import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { admin } from "../../test-support/test-host.ts";
import { openLab } from "../../test-support/worktree-lab.ts";
import { testRemovals } from "../../../../workspace/src/worktree/test-support/worktree-removals.ts";

testRemovals("typical");

test("a worktree that is to be kept is kept, also when it is empty", async () => {
  const lab = await openLab();
  const { session, remove, host } = lab.openHost();
  const { id, worktree } = await session();
  expect(await remove(id, "keep")).toMatchObject({
    is_removed: false,
    keep_reasons: ["requested"],
  });
  const [kept] = (await host.worktrees.list(admin)).worktrees;
  expect(kept).toMatchObject({ status: "kept", path: worktree.path, session_ids: [] });
  expect(await host.worktrees.remove(kept?.id ?? "", false)).toMatchObject({
    ok: true,
    value: { is_removed: true, is_branch_removed: true },
  });
  expect((await host.worktrees.list(admin)).worktrees).toEqual([]);
});

test("ten sessions on ten worktrees of one repository at once, removed in every state: no work is lost, nothing is left", async () => {
  const lab = await openLab();
  const { session, remove, host } = lab.openHost();
  const before = await lab.traces();
  const names = Array.from({ length: 10 }, (_, index) => `s-${index}`);
  const made = await Promise.all(names.map((session_id) => session({ session_id, title: "Ten" })));
  expect(new Set(made.map(({ worktree }) => worktree.branch)).size).toBe(10);
  expect(new Set(made.map(({ cwd }) => cwd)).size).toBe(10);
  const [clean = [], dirty = [], untracked = [], committed = [], merged = []] = [0, 1, 2, 3, 4].map(
    (kind) => made.filter((_one, index) => index % 5 === kind),
  );
  for (const { id, worktree } of dirty) {
    await writeFile(join(worktree.path, "README.md"), `work of ${id}`);
  }
  for (const { id, worktree } of [...untracked, ...committed, ...merged]) {
    await writeFile(join(worktree.path, `${id}.txt`), `work of ${id}`);
  }
  for (const { id, worktree } of [...committed, ...merged]) {
    lab.commitIn(worktree.path, `work of ${id}`);
  }
  for (const { worktree } of merged) lab.git("merge", "--quiet", "--no-edit", worktree.branch);

  const removals = await Promise.all(made.map(({ id }) => remove(id)));
  const removalOf = (path: string) => removals.find((removal) => removal.path === path);
  for (const { worktree } of [...clean, ...merged]) {
    expect(removalOf(worktree.path)).toMatchObject({ is_removed: true, is_branch_removed: true });
  }
  for (const { id } of merged) expect(lab.git("show", `main:${id}.txt`)).toBe(`work of ${id}`);
  for (const { id, worktree } of committed) {
    expect(removalOf(worktree.path)).toMatchObject({ is_removed: true, is_branch_removed: false });
    expect(lab.git("show", `${worktree.branch}:${id}.txt`)).toBe(`work of ${id}`);
  }
  for (const { id, worktree } of dirty) {
    expect(removalOf(worktree.path)).toMatchObject({ is_removed: false, is_branch_removed: false });
    expect(await readFile(join(worktree.path, "README.md"), "utf8")).toBe(`work of ${id}`);
  }
  for (const { id, worktree } of untracked) {
    expect(removalOf(worktree.path)).toMatchObject({ is_removed: false, is_branch_removed: false });
    expect(await readFile(join(worktree.path, `${id}.txt`), "utf8")).toBe(`work of ${id}`);
  }

  const kept = (await host.worktrees.list(admin)).worktrees;
  expect(kept.map(({ path }) => path).toSorted()).toEqual(
    [...dirty, ...untracked].map(({ worktree }) => worktree.path).toSorted(),
  );
  for (const { id } of kept) await host.worktrees.remove(id, true);
  for (const { worktree } of committed) lab.git("branch", "--quiet", "-D", worktree.branch);
  const after = await lab.traces();
  expect(after.files).toEqual([]);
  expect(after.configuration).toBe(before.configuration);
  expect(after.worktrees.match(/^worktree /gm)).toHaveLength(1);
  expect(after.branches.split("\n")).toHaveLength(1);
});
