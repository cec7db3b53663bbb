import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Worktree, WorktreeKeepReason } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { admin } from "../../../../server/src/test-support/test-host.ts";
import { openLab } from "../../../../server/src/test-support/worktree-lab.ts";

type Lab = Awaited<ReturnType<typeof openLab>>;

interface State {
  readonly prepare: (lab: Lab, worktree: Worktree) => Promise<void> | void;
  readonly reasons: readonly WorktreeKeepReason[];
  /** What stays by default; nothing, the branch alone, or both. */
  readonly kept: "nothing" | "branch" | "all";
}

async function commitWork(lab: Lab, { path }: Worktree): Promise<void> {
  await writeFile(join(path, "work.txt"), "work\n");
  lab.commitIn(path, "work");
}

const states: Record<string, State> = {
  clean: { prepare: () => undefined, reasons: [], kept: "nothing" },
  "with ignored files only": {
    prepare: (lab, { path }) => lab.write(join(path, "ignored/build.js"), "built"),
    reasons: [],
    kept: "nothing",
  },
  "with a changed file": {
    prepare: (_lab, { path }) => writeFile(join(path, "README.md"), "changed"),
    reasons: ["uncommitted"],
    kept: "all",
  },
  "with a removed file": {
    prepare: (_lab, { path }) => rm(join(path, "README.md")),
    reasons: ["uncommitted"],
    kept: "all",
  },
  "with a change that is only staged": {
    prepare: async (lab, { path }) => {
      await writeFile(join(path, "README.md"), "staged");
      lab.gitIn(path, "add", "README.md");
      await writeFile(join(path, "README.md"), "Shop\n");
    },
    reasons: ["uncommitted"],
    kept: "all",
  },
  "with a change that git overlooks (assume-unchanged)": {
    prepare: async (lab, { path }) => {
      lab.gitIn(path, "update-index", "--assume-unchanged", "README.md");
      await writeFile(join(path, "README.md"), "changed");
    },
    reasons: ["uncommitted"],
    kept: "all",
  },
  "with a change to a file that is skipped": {
    prepare: async (lab, { path }) => {
      lab.gitIn(path, "update-index", "--skip-worktree", "README.md");
      await writeFile(join(path, "README.md"), "changed");
    },
    reasons: ["uncommitted"],
    kept: "all",
  },
  "with a new file": {
    prepare: (_lab, { path }) => writeFile(join(path, "new.txt"), "new"),
    reasons: ["untracked"],
    kept: "all",
  },
  "with a new file that the repository's configuration hides": {
    prepare: async (lab, { path }) => {
      lab.git("config", "status.showUntrackedFiles", "no");
      await writeFile(join(path, "new.txt"), "new");
    },
    reasons: ["untracked"],
    kept: "all",
  },
  "with a repository of its own inside": {
    prepare: async (lab, { path }) => {
      await lab.write(join(path, "inner/a.txt"), "a");
      lab.gitIn(join(path, "inner"), "init", "--quiet");
    },
    reasons: ["untracked"],
    kept: "all",
  },
  "with a commit": { prepare: commitWork, reasons: ["unmerged"], kept: "branch" },
  "with a commit and a change": {
    prepare: async (lab, worktree) => {
      await commitWork(lab, worktree);
      await writeFile(join(worktree.path, "work.txt"), "more");
    },
    reasons: ["uncommitted", "unmerged"],
    kept: "all",
  },
  "with a commit that is merged": {
    prepare: async (lab, worktree) => {
      await commitWork(lab, worktree);
      lab.git("merge", "--quiet", "--no-ff", "--no-edit", worktree.branch);
    },
    reasons: [],
    kept: "nothing",
  },
  "with a commit that is tagged": {
    prepare: async (lab, worktree) => {
      await commitWork(lab, worktree);
      lab.git("tag", "release", worktree.branch);
    },
    reasons: [],
    kept: "nothing",
  },
  "with a commit that is pushed": {
    prepare: async (lab, worktree) => {
      const remote = join(lab.place, "remote.git");
      lab.git("init", "--quiet", "--bare", remote);
      lab.git("remote", "add", "origin", remote);
      await commitWork(lab, worktree);
      lab.gitIn(worktree.path, "push", "--quiet", "--set-upstream", "origin", worktree.branch);
    },
    reasons: [],
    kept: "nothing",
  },
  "whose base is on no branch any more": {
    prepare: (lab) => {
      lab.git("checkout", "--quiet", "--orphan", "other");
      lab.git("commit", "--quiet", "--message", "other");
      lab.git("branch", "--quiet", "-D", "main");
    },
    reasons: ["unmerged"],
    kept: "branch",
  },
  "with a commit on no branch": {
    prepare: async (lab, worktree) => {
      lab.gitIn(worktree.path, "checkout", "--quiet", "--detach");
      await commitWork(lab, worktree);
    },
    reasons: ["detached"],
    kept: "all",
  },
  "in the middle of a merge": {
    prepare: async (lab, { path }) => {
      await writeFile(join(lab.repository, "README.md"), "theirs");
      lab.commitIn(lab.repository, "theirs");
      lab.gitIn(path, "merge", "--quiet", "--no-commit", "--no-ff", "main");
    },
    reasons: ["uncommitted", "in_progress"],
    kept: "all",
  },
  "in the middle of a rebase": {
    prepare: async (lab, worktree) => {
      await commitWork(lab, worktree);
      await writeFile(join(lab.repository, "work.txt"), "theirs");
      lab.commitIn(lab.repository, "theirs");
      expect(() => lab.gitIn(worktree.path, "rebase", "--quiet", "main")).toThrow(
        "could not apply",
      );
      lab.gitIn(worktree.path, "checkout", "--quiet", "--ours", "work.txt");
      lab.gitIn(worktree.path, "reset", "--quiet", "--hard");
    },
    reasons: ["unmerged", "in_progress"],
    kept: "all",
  },
  locked: {
    prepare: (lab, { path }) => void lab.git("worktree", "lock", path),
    reasons: ["locked"],
    kept: "all",
  },
  "that has become another repository": {
    prepare: async (lab, { path }) => {
      await rm(join(path, ".git"));
      lab.gitIn(path, "init", "--quiet");
    },
    reasons: ["unknown"],
    kept: "all",
  },
  "whose directory is gone": {
    prepare: (_lab, { path }) => rm(path, { recursive: true }),
    reasons: [],
    kept: "nothing",
  },
};

/** One of each way in which a worktree is kept or removed. */
const typical: ReadonlySet<string> = new Set([
  "clean",
  "with ignored files only",
  "with a changed file",
  "with a change that git overlooks (assume-unchanged)",
  "with a new file",
  "with a commit",
  "with a commit that is tagged",
  "with a commit that is pushed",
  "with a commit on no branch",
  "locked",
]);

/** What becomes of a worktree when its session is deleted, in the typical states or in all others. */
export function testRemovals(which: "typical" | "others"): void {
  const chosen = Object.entries(states).filter(
    ([name]) => typical.has(name) === (which === "typical"),
  );

  describe("deleting a session removes its worktree only as far as nothing is lost:", () => {
    test.each(chosen)("%s", async (_name, { prepare, reasons, kept }) => {
      const lab = await openLab();
      const { host, session, remove } = lab.openHost();
      const { id, worktree } = await session();
      expect(existsSync(worktree.path)).toBe(true);
      await prepare(lab, worktree);
      const isThere = existsSync(worktree.path);
      const tip = lab.git("rev-parse", worktree.branch);
      const described = await host.worktrees.describe(worktree);
      expect(described).toMatchObject({
        ok: true,
        value: { status: "in_use", session_ids: [id], contents: { keep_reasons: reasons } },
      });

      const removal = await remove(id);
      expect(removal).toMatchObject({
        path: worktree.path,
        branch: worktree.branch,
        repository: lab.repository,
        is_removed: kept !== "all",
        is_branch_removed: kept === "nothing",
        keep_reasons: reasons,
      });
      expect(existsSync(worktree.path)).toBe(kept === "all" && isThere);
      expect(removal.message).toMatch(
        {
          nothing: /were removed\.$/,
          branch: /was removed; .* was kept .*because/,
          all: /was kept, because/,
        }[kept],
      );
      const listed = await host.worktrees.list(admin);
      expect(listed.worktrees.map(({ path, status }) => [path, status])).toEqual(
        kept === "all" ? [[worktree.path, "kept"]] : [],
      );
      const branches = lab.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads");
      const own = `refs/heads/${worktree.branch} ${tip}`;
      expect(branches.split("\n").includes(own)).toBe(kept !== "nothing");
      expect(lab.git("worktree", "list").includes(worktree.path)).toBe(kept === "all");
      expect(lab.git("config", "--local", "--list")).not.toContain(`branch.${worktree.branch}`);
      expect((await lab.traces()).files.length > 0).toBe(kept === "all" && isThere);
    });

    test.each(chosen.filter(([, { kept }]) => kept === "all"))(
      "to discard a worktree %s is a choice of its own",
      async (name, { prepare }) => {
        const lab = await openLab();
        const { session, remove } = lab.openHost();
        const { id, worktree } = await session();
        await prepare(lab, worktree);
        const removal = await remove(id, "discard");
        // Whoever locked it did not want it to be removed.
        const isHeld = name === "locked";
        expect(removal).toMatchObject({ is_removed: !isHeld, is_branch_removed: !isHeld });
        expect(existsSync(worktree.path)).toBe(isHeld);
        expect(lab.git("worktree", "list").includes(worktree.path)).toBe(isHeld);
      },
    );
  });
}
