import { existsSync } from "node:fs";
import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
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

  test("configuration that is there only when git is not asked for it", async () => {
    const lab = await openLab();
    const { canary, trace } = await plant(lab);
    await attribute(lab, "* filter=evil");
    const config = join(lab.repository, ".git/config");
    const benign = await readFile(config, "utf8");
    await lab.write(join(lab.place, "benign"), benign);
    const filter = `[filter "evil"]\n\tclean = ${canary}; cat\n\tsmudge = ${canary}; cat\n`;
    await lab.write(join(lab.place, "hostile"), benign + filter);
    const path = process.env["PATH"] ?? "";
    await lab.write(
      join(lab.place, "bin/git"),
      [
        "#!/bin/sh",
        `PATH=${path}`,
        `case " $* " in *" config "*) as=benign;; *) as=hostile;; esac`,
        `cp ${lab.place}/$as ${config}`,
        `exec git "$@"`,
      ].join("\n"),
    );
    await chmod(join(lab.place, "bin/git"), 0o755);
    vi.stubEnv("PATH", `${lab.place}/bin:${path}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { session, remove, host } = lab.openHost();
    const { id, worktree } = await session();
    expect(await readFile(join(worktree.path, "README.md"), "utf8")).toBe("Shop\n");
    await writeFile(join(worktree.path, "README.md"), "Shup\n");
    const described = await host.worktrees.describe(worktree);
    expect(described).toMatchObject({ value: { contents: { uncommitted: 1 } } });
    await remove(id);
    expect(await readFile(config, "utf8")).toContain("evil");
    expect(existsSync(trace)).toBe(false);
    lab.gitIn(worktree.path, "status");
    expect(existsSync(trace)).toBe(true);
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
