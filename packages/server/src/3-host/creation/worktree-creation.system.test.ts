import { existsSync } from "node:fs";
import { mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { admin } from "../../test-support/test-host.ts";
import { openLab } from "../../test-support/worktree-lab.ts";

type Lab = Awaited<ReturnType<typeof openLab>>;

describe("a session with a worktree", () => {
  test("works in a directory and on a branch of its own, at the same place in the repository", async () => {
    const lab = await openLab();
    const { session } = lab.openHost();
    const { worktree, cwd } = await session({
      cwd: join(lab.repository, "packages/app"),
      title: "Größere Änderung: log-in!",
    });
    expect(worktree).toEqual({
      branch: expect.stringMatching(/^turnwire\/grossere-anderung-log-in-[0-9a-f]{6}$/),
      base: "main",
      base_commit: lab.git("rev-parse", "main"),
      path: expect.stringMatching(/worktrees\/shop-[0-9a-f]{8}\/grossere-anderung-log-in-/),
      repository: lab.repository,
    });
    expect(cwd).toBe(join(worktree.path, "packages/app"));
    expect(await readFile(join(cwd, "index.ts"), "utf8")).toBe("export {};\n");
    expect(lab.gitIn(cwd, "branch", "--show-current")).toBe(worktree.branch);
    expect(lab.git("branch", "--show-current")).toBe("main");
  });

  test("has the branch and the base that were asked for", async () => {
    const lab = await openLab();
    lab.git("tag", "v1");
    await lab.write(join(lab.repository, "later.txt"), "");
    lab.commitIn(lab.repository, "later");
    const { session } = lab.openHost();
    const { worktree } = await session({ worktree: { branch: "feature/größe", base: "v1" } });
    expect(worktree).toMatchObject({ branch: "feature/größe", base: "v1" });
    expect(existsSync(join(worktree.path, "later.txt"))).toBe(false);
  });

  test("is made from a detached HEAD, from a linked worktree and beside a branch called turnwire", async () => {
    const lab = await openLab();
    const { session } = lab.openHost();
    lab.git("branch", "turnwire");
    lab.git("checkout", "--quiet", "--detach");
    const first = await session();
    expect(first.worktree).toMatchObject({
      base: lab.git("rev-parse", "HEAD"),
      branch: expect.stringMatching(/^turnwire-session-/),
    });
    const linked = join(lab.place, "code", "linked");
    lab.git("worktree", "add", "--quiet", "-b", "side", linked);
    const second = await session({ cwd: linked });
    expect(second.worktree).toMatchObject({ base: "side", repository: lab.repository });
  });

  test("has its worktree in its first event and after a restart, and its agent starts there", async () => {
    const lab = await openLab();
    const first = lab.openHost();
    const { id, worktree, cwd } = await first.session();
    await first.host.close();
    const second = lab.openHost({ store: first.store });
    const opened = await second.host.open(id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.control.session.worktree).toEqual(worktree);
    const woken = await opened.value.wake();
    expect(woken).toMatchObject({ ok: true });
    expect(second.runtime.runs.at(-1)?.options.cwd).toBe(cwd);
  });

  test("is refused where the path of its worktree leads elsewhere by now", async () => {
    const lab = await openLab();
    const { session } = lab.openHost();
    const { session: opened, worktree } = await session();
    await rm(worktree.path, { recursive: true });
    expect(await opened.wake()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("worktree is gone") },
    });
    await symlink(lab.repository, worktree.path);
    expect(await opened.wake()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining("not in a worktree of this server") },
    });
  });

  test("is refused when its repository is gone, and deleting it keeps what is there", async () => {
    const lab = await openLab();
    const { session, remove } = lab.openHost();
    const { session: opened, worktree, id } = await session();
    await writeFile(join(worktree.path, "work.txt"), "work");
    await rm(lab.repository, { recursive: true });
    expect(await opened.wake()).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(`There is no directory ${lab.repository}`) },
    });
    expect(await remove(id)).toMatchObject({ is_removed: false, keep_reasons: ["unknown"] });
    expect(existsSync(join(worktree.path, "work.txt"))).toBe(true);
  });
});

describe("a worktree that cannot be made is a clear error, and nothing is left:", () => {
  const cases: Record<
    string,
    { reason: string; wish?: (lab: Lab) => Promise<object> | object; message: string }
  > = {
    "no repository": {
      reason: "not_a_repository",
      wish: async (lab) => {
        await mkdir(join(lab.place, "code", "plain"));
        return { cwd: join(lab.place, "code", "plain") };
      },
      message: "is in no git repository",
    },
    "a repository whose files are said to be elsewhere": {
      reason: "not_a_repository",
      wish: async (lab) => {
        const bait = join(lab.place, "code", "bait");
        await mkdir(bait);
        lab.gitIn(bait, "init", "--quiet");
        lab.gitIn(bait, "commit", "--quiet", "--allow-empty", "--message", "bait");
        lab.gitIn(bait, "config", "core.worktree", lab.repository);
        return { cwd: bait };
      },
      message: "is in no git repository",
    },
    "no commits": {
      reason: "no_commits",
      wish: async (lab) => {
        const empty = join(lab.place, "code", "empty");
        await mkdir(empty);
        lab.gitIn(empty, "init", "--quiet");
        return { cwd: empty };
      },
      message: "has no commits yet",
    },
    "a branch that exists": {
      reason: "branch_exists",
      wish: () => ({ worktree: { branch: "main" } }),
      message: "There is a branch main already",
    },
    "a branch below one that exists": {
      reason: "branch_exists",
      wish: () => ({ worktree: { branch: "main/more" } }),
      message: "choose another name",
    },
    "a name that is not a branch": {
      reason: "branch_invalid",
      wish: () => ({ worktree: { branch: "a..b" } }),
      message: "cannot be the name of a branch",
    },
    "a name that looks like an option": {
      reason: "branch_invalid",
      wish: () => ({ worktree: { branch: "--force" } }),
      message: "cannot be the name of a branch",
    },
    "an unknown base": {
      reason: "base_unknown",
      wish: () => ({ worktree: { base: "no-such-branch" } }),
      message: "There is no branch, tag or commit no-such-branch",
    },
    "a base that looks like an option": {
      reason: "base_unknown",
      wish: () => ({ worktree: { base: "--all" } }),
      message: "There is no branch, tag or commit --all",
    },
    "a directory that is not committed": {
      reason: "directory_missing",
      wish: async (lab) => {
        await mkdir(join(lab.repository, "ignored"));
        return { cwd: join(lab.repository, "ignored") };
      },
      message: "There is no directory ignored in main",
    },
    "a directory that is a link in the base": {
      reason: "directory_missing",
      wish: async (lab) => {
        await symlink("/tmp", join(lab.repository, "away"));
        lab.commitIn(lab.repository, "a link");
        lab.git("branch", "linked");
        await rm(join(lab.repository, "away"));
        await lab.write(join(lab.repository, "away/file"), "");
        lab.commitIn(lab.repository, "a directory");
        return { cwd: join(lab.repository, "away"), worktree: { base: "linked" } };
      },
      message: "There is no directory away",
    },
    "a setup command that fails": {
      reason: "setup_failed",
      wish: () => ({}),
      message: "its setup command ended with code 3.\nno network",
    },
  };

  test.each(Object.entries(cases))("%s", async (name, { reason, wish, message }) => {
    const lab = await openLab();
    const worktrees = {
      directory: lab.directory,
      ...(name.startsWith("a setup") && { setup: "touch made; echo no network >&2; exit 3" }),
    };
    const { create, host } = lab.openHost({ worktrees });
    const options = await wish?.(lab);
    const before = await lab.traces();
    const created = await create(options);
    expect(created).toMatchObject({
      ok: false,
      error: { code: "worktree_failed", details: { reason } },
    });
    expect(created.ok ? "" : created.error.message).toContain(message);
    expect(await lab.traces()).toEqual({ ...before, files: before.files });
    expect(await host.list({ limit: 10, principal: admin })).toEqual({ sessions: [] });
    expect(await host.worktrees.list(admin)).toEqual({ worktrees: [] });
  });

  test("a server without a place for worktrees", async () => {
    const lab = await openLab();
    const { create } = lab.openHost({ worktrees: {} });
    expect(await create()).toMatchObject({
      ok: false,
      error: { code: "worktree_failed", details: { reason: "unavailable" } },
    });
  });

  test("a repository around the directory in which the principal may not work", async () => {
    const lab = await openLab();
    const { create } = lab.openHost({ roots: [join(lab.repository, "packages")] });
    const before = await lab.traces();
    const cwd = join(lab.repository, "packages/app");
    for (const principal of [admin, { id: "guest", isAdmin: false }]) {
      expect(await create({ cwd }, principal)).toMatchObject({
        ok: false,
        error: { code: "cwd_not_allowed" },
      });
    }
    expect(await lab.traces()).toEqual(before);
  });

  test("a directory whose .git leads to a repository elsewhere", async () => {
    const lab = await openLab();
    const outside = join(lab.place, "private");
    await mkdir(outside);
    lab.gitIn(outside, "init", "--quiet");
    await lab.write(join(outside, "a"), "");
    lab.commitIn(outside, "secret");
    const bait = join(lab.place, "code", "bait");
    await lab.write(join(bait, ".git"), `gitdir: ${join(outside, ".git")}\n`);
    const { create } = lab.openHost();
    expect(await create({ cwd: bait })).toMatchObject({
      ok: false,
      error: { code: "cwd_not_allowed" },
    });
    expect(lab.gitIn(outside, "worktree", "list").split("\n")).toHaveLength(1);
  });

  test("an id that is taken", async () => {
    const lab = await openLab();
    const { create, session } = lab.openHost();
    await session({ session_id: "mine" });
    const before = await lab.traces();
    expect(await create({ session_id: "mine" })).toMatchObject({
      ok: false,
      error: { code: "session_exists" },
    });
    const [first, second] = await Promise.all([
      create({ session_id: "race" }),
      create({ session_id: "race" }),
    ]);
    expect([first, second].filter(({ ok }) => ok)).toHaveLength(1);
    const { worktrees } = await lab.traces();
    expect(worktrees.match(/^worktree /gm)).toHaveLength(
      (before.worktrees.match(/^worktree /gm)?.length ?? 0) + 1,
    );
  });
});
