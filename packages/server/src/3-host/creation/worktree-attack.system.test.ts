import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  attribute,
  plant,
  testAttacks,
} from "../../../../workspace/src/worktree/test-support/worktree-attacks.ts";
import { openLab } from "../../test-support/worktree-lab.ts";

testAttacks("typical");

describe("a hostile repository runs nothing while a worktree is made, looked at and removed:", () => {
  test("configuration that only the worktree has", async () => {
    const lab = await openLab();
    const { canary, trace } = await plant(lab);
    const { session, remove, host } = lab.openHost();
    const { id, worktree } = await session();
    lab.git("config", "extensions.worktreeConfig", "true");
    lab.gitIn(worktree.path, "config", "--worktree", "filter.evil.clean", `${canary}; cat`);
    await attribute(lab, "* filter=evil");
    // As long as before, so that git compares the content.
    await writeFile(join(worktree.path, "README.md"), "Shup\n");
    lab.gitIn(worktree.path, "status");
    expect(existsSync(trace)).toBe(true);
    await rm(trace);
    await host.worktrees.describe(worktree);
    expect(await remove(id)).toMatchObject({ is_removed: false, keep_reasons: ["uncommitted"] });
    expect(existsSync(trace)).toBe(false);
  });

  test("a submodule with a filter of its own, which also keeps the worktree", async () => {
    const lab = await openLab();
    const { canary, trace } = await plant(lab);
    const inner = join(lab.place, "inner");
    await mkdir(inner);
    lab.gitIn(inner, "init", "--quiet");
    await lab.write(join(inner, "x"), "x");
    lab.commitIn(inner, "inner");
    lab.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", inner, "part");
    lab.commitIn(lab.repository, "with a submodule");
    const { session, remove } = lab.openHost();
    const empty = await session();
    expect(await remove(empty.id)).toMatchObject({ is_removed: true, is_branch_removed: true });
    const { id, worktree } = await session();
    const allowFiles = ["-c", "protocol.file.allow=always"];
    lab.gitIn(worktree.path, ...allowFiles, "submodule", "--quiet", "update", "--init");
    const part = join(worktree.path, "part");
    lab.gitIn(part, "config", "filter.evil.clean", `${canary}; cat`);
    await writeFile(
      join(lab.gitIn(part, "rev-parse", "--git-dir"), "info/attributes"),
      "* filter=evil\n",
    );
    await writeFile(join(part, "x"), "y");
    lab.gitIn(worktree.path, "status");
    expect(existsSync(trace)).toBe(true);
    await rm(trace);
    expect(await remove(id)).toMatchObject({ is_removed: false, keep_reasons: ["submodules"] });
    expect(existsSync(trace)).toBe(false);
  });
});
