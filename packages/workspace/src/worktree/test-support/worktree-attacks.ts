import { existsSync } from "node:fs";
import { appendFile, chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { admin } from "../../../../server/src/test-support/test-host.ts";
import { openLab } from "../../../../server/src/test-support/worktree-lab.ts";

type Lab = Awaited<ReturnType<typeof openLab>>;

/** Ways in which a repository makes git run a program; each is shown to do so in an ordinary `git worktree add` or `status` first. */
const attacks: Record<string, (lab: Lab, canary: string) => Promise<void>> = {
  "a hook": async (lab, canary) => {
    for (const name of ["post-checkout", "reference-transaction", "post-index-change"]) {
      const hook = join(lab.repository, ".git/hooks", name);
      await lab.write(hook, `#!/bin/sh\n${canary}\n`);
      await chmod(hook, 0o755);
    }
  },
  "a directory of hooks": async (lab, canary) => {
    const hook = join(lab.place, "hooks/reference-transaction");
    await lab.write(hook, `#!/bin/sh\n${canary}\n`);
    await chmod(hook, 0o755);
    lab.git("config", "core.hooksPath", join(lab.place, "hooks"));
  },
  "a file system monitor": async (lab, canary) => {
    lab.git("config", "core.fsmonitor", canary);
  },
  "a smudge filter": async (lab, canary) => {
    lab.git("config", "filter.evil.smudge", canary);
    await attribute(lab, "* filter=evil");
  },
  "a clean filter": async (lab, canary) => {
    lab.git("config", "filter.evil.clean", `${canary}; cat`);
    await attribute(lab, "* filter=evil");
  },
  "a long-running filter": async (lab, canary) => {
    lab.git("config", "filter.evil.process", canary);
    await attribute(lab, "* filter=evil");
  },
  "a required filter whose name looks like an assignment": async (lab, canary) => {
    lab.git("config", "filter.a=b.smudge", canary);
    lab.git("config", "filter.a=b.required", "true");
    await attribute(lab, "* filter=a=b");
  },
  "a filter in an included file": async (lab, canary) => {
    await lab.write(join(lab.place, "more"), `[filter "evil"]\n\tsmudge = ${canary}\n`);
    lab.git("config", "include.path", join(lab.place, "more"));
    await attribute(lab, "* filter=evil");
  },
};

export async function attribute(lab: Lab, line: string): Promise<void> {
  await appendFile(join(lab.repository, ".git/info/attributes"), `${line}\n`);
}

export async function plant(lab: Lab) {
  const canary = join(lab.place, "canary.sh");
  const trace = join(lab.place, "trace");
  await writeFile(canary, `#!/bin/sh\necho ran >> ${trace}\n`);
  await chmod(canary, 0o755);
  await mkdir(join(lab.repository, ".git/info"), { recursive: true });
  return { canary, trace };
}

/** What an unguarded git does with the same repository. */
async function provoke(lab: Lab): Promise<void> {
  const other = join(lab.place, "unguarded");
  const attempts = [
    () => lab.git("worktree", "add", "--quiet", "-b", "unguarded", other),
    () => lab.gitIn(other, "add", "--all"),
    () => lab.gitIn(other, "status"),
  ];
  for (const attempt of attempts) {
    try {
      await writeFile(join(other, "README.md"), `${Math.random()}`).catch(() => undefined);
      attempt();
    } catch {
      // Some of these break it; that they run is what counts.
    }
  }
  lab.git("worktree", "remove", "--force", other);
  lab.git("branch", "-D", "unguarded");
}

/** One of each mechanism; the others are variants of filters and hooks. */
const typical: ReadonlySet<string> = new Set([
  "a hook",
  "a file system monitor",
  "a smudge filter",
  "a clean filter",
  "a filter in an included file",
]);

/** Tries the typical attacks, or all others. */
export function testAttacks(which: "typical" | "others"): void {
  const chosen = Object.entries(attacks).filter(
    ([name]) => typical.has(name) === (which === "typical"),
  );

  describe("a hostile repository runs nothing while a worktree is made, looked at and removed:", () => {
    test.each(chosen)("%s", async (_name, attack) => {
      const lab = await openLab();
      const { canary, trace } = await plant(lab);
      await attack(lab, canary);
      await provoke(lab).catch(() => undefined);
      expect(existsSync(trace)).toBe(true);
      await rm(trace);

      const { session, remove, host } = lab.openHost();
      const { id, worktree } = await session();
      expect(await readFile(join(worktree.path, "README.md"), "utf8")).toBe("Shop\n");
      await writeFile(join(worktree.path, "README.md"), "changed");
      const described = await host.worktrees.describe(worktree);
      expect(described).toMatchObject({ value: { contents: { uncommitted: 1 } } });
      await remove(id);
      const [kept] = (await host.worktrees.list(admin)).worktrees;
      await host.worktrees.remove(kept?.id ?? "", true);
      expect(existsSync(worktree.path)).toBe(false);
      expect(existsSync(trace)).toBe(false);
    });
  });
}
