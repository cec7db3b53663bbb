import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, basename, join } from "node:path";
import { type Clock, systemClock } from "@turnwire/base";
import { describe, expect, test } from "vitest";
import { claudeConfiguration } from "../../../../runtime-claude/src/sdk/configuration.ts";
import { admin } from "../../test-support/test-host.ts";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { openLab } from "../../test-support/worktree-lab.ts";

type Lab = Awaited<ReturnType<typeof openLab>>;

describe("copied files and the setup command", () => {
  /** A project that prepares its worktrees itself. */
  async function prepared(lab: Lab, setup: object): Promise<void> {
    await lab.write(join(lab.repository, ".turnwire/worktree.json"), JSON.stringify(setup));
    await lab.write(join(lab.repository, ".env"), "KEY=1\n");
    await lab.write(join(lab.repository, ".env.local"), "KEY=2\n");
    lab.commitIn(lab.repository, "prepared");
  }

  test("take effect once the project is trusted, and not before", async () => {
    const lab = await openLab();
    await prepared(lab, {
      copy: [".env*"],
      setup: 'test -n "$TURNWIRE_BRANCH" && cp .env ignored-copy && pwd > .env.place',
    });
    const { host, session } = lab.openHost();
    const before = await session();
    expect(before.worktree.is_setup_skipped).toBe(true);
    expect(existsSync(join(before.worktree.path, ".env"))).toBe(false);
    const { digest, findings } = await host.trust.get(lab.repository);
    expect(findings).toContainEqual(
      expect.objectContaining({
        path: ".turnwire/worktree.json",
        name: "setup",
        can_execute: true,
      }),
    );
    await host.trust.set(lab.repository, digest);
    const after = await session();
    expect(after.worktree.is_setup_skipped).toBeUndefined();
    expect(await readFile(join(after.worktree.path, ".env"), "utf8")).toBe("KEY=1\n");
    expect(await readFile(join(after.worktree.path, ".env.local"), "utf8")).toBe("KEY=2\n");
    expect(await readFile(join(after.worktree.path, ".env.place"), "utf8")).toBe(
      `${after.worktree.path}\n`,
    );
  });

  test("do not take effect for a base whose scripts are not those that were trusted", async () => {
    const lab = await openLab();
    await lab.write(join(lab.repository, "prepare.sh"), "touch .env.good\n");
    await prepared(lab, { setup: "sh prepare.sh" });
    lab.git("switch", "--quiet", "--create", "evil");
    await lab.write(join(lab.repository, "prepare.sh"), "touch .env.evil\n");
    lab.commitIn(lab.repository, "evil");
    lab.git("switch", "--quiet", "main");
    const { host, session } = lab.openHost();
    await host.trust.set(lab.repository, (await host.trust.get(lab.repository)).digest);
    const evil = await session({ worktree: { base: "evil" } });
    expect(evil.worktree.is_setup_skipped).toBe(true);
    expect(existsSync(join(evil.worktree.path, ".env.evil"))).toBe(false);
    const good = await session();
    expect(existsSync(join(good.worktree.path, ".env.good"))).toBe(true);
  });

  test("come from the server's configuration where there is nothing to trust, without its secrets", async () => {
    const lab = await openLab();
    await lab.write(join(lab.repository, ".env"), "KEY=1\n");
    const { session } = lab.openHost({
      worktrees: {
        directory: lab.directory,
        copy: [".env", "packages/*/.env", "missing.txt"],
        setup: "env > .env.seen",
      },
    });
    process.env["ANTHROPIC_API_KEY"] = "s3cret";
    try {
      const { worktree } = await session();
      expect(await readFile(join(worktree.path, ".env"), "utf8")).toBe("KEY=1\n");
      const seen = await readFile(join(worktree.path, ".env.seen"), "utf8");
      expect(seen).toContain(`TURNWIRE_REPOSITORY=${lab.repository}`);
      expect(seen).not.toContain("s3cret");
    } finally {
      delete process.env["ANTHROPIC_API_KEY"];
    }
  });

  test.each([
    ["../outside", "is not a path inside the repository"],
    ["/etc/passwd", "is not a path inside the repository"],
    [".git/config", "is not a path inside the repository"],
    [".env.link", "is a link that leads out of the repository"],
    ["away/.env", "would be written outside of the worktree"],
  ])("copying %s is refused, and nothing is left", async (pattern, message) => {
    const lab = await openLab();
    await symlink("/etc/hostname", join(lab.repository, ".env.link"));
    const outside = join(lab.place, "outside");
    await mkdir(outside);
    // In the base a link, in the working tree a directory.
    await symlink(outside, join(lab.repository, "away"));
    lab.commitIn(lab.repository, "a link");
    await rm(join(lab.repository, "away"));
    await lab.write(join(lab.repository, "away/.env"), "KEY");
    const before = await lab.traces();
    const worktrees = { directory: lab.directory, copy: [pattern] };
    const { create } = lab.openHost({ worktrees });
    const created = await create();
    expect(created).toMatchObject({ ok: false, error: { details: { reason: "copy_failed" } } });
    expect(created.ok ? "" : created.error.message).toContain(message);
    expect(existsSync(join(outside, ".env"))).toBe(false);
    expect(await lab.traces()).toEqual(before);
  });

  test("a setup command is ended when the server stops, and nothing of the worktree is left", async () => {
    const lab = await openLab();
    const before = await lab.traces();
    const started = join(lab.place, "started");
    const { create, host } = lab.openHost({
      worktrees: { directory: lab.directory, setup: `touch ${started}; sleep 600 & wait` },
    });
    const creating = create();
    await expect.poll(() => existsSync(started)).toBe(true);
    const [making] = (await host.worktrees.list(admin)).worktrees;
    expect(making).toMatchObject({ status: "creating", step: "setup" });
    expect(await host.worktrees.remove(making?.id ?? "", true)).toMatchObject({
      value: { is_removed: false, keep_reasons: ["in_use"] },
    });
    const file = join(lab.directory, ".records", `${making?.id}.json`);
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ status: "creating" });
    await host.close();
    expect(await creating).toMatchObject({ ok: false });
    expect(await lab.traces()).toEqual(before);
  });

  test("a setup command that takes ten minutes is ended, and nothing of the worktree is left", async () => {
    const lab = await openLab();
    const before = await lab.traces();
    const ordinary: Clock = systemClock;
    const clock: Clock = {
      now: () => ordinary.now(),
      // Its time is up as soon as it runs.
      wait: (ms, signal) => ordinary.wait(ms === 10 * 60_000 ? 0 : ms, signal),
    };
    const worktrees = { directory: lab.directory, setup: "echo at work; exec sleep 600" };
    const created = await lab.openHost({ worktrees, clock }).create();
    expect(created).toMatchObject({
      ok: false,
      error: {
        code: "worktree_failed",
        message: expect.stringContaining("took longer than 10 minutes"),
        details: { reason: "setup_failed" },
      },
    });
    expect(await lab.traces()).toEqual(before);
  });
});

describe("the trust of a worktree", () => {
  test("is that of its repository, as long as it adds nothing that can run commands", async () => {
    const lab = await openLab();
    const hook = (command: string) =>
      JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
    await lab.write(join(lab.repository, ".claude/settings.json"), hook("./check.sh"));
    lab.commitIn(lab.repository, "settings");
    // Not committed, so not in the worktree: that adds nothing.
    await lab.write(join(lab.repository, ".claude/settings.local.json"), hook("./local.sh"));
    const runtime = new ScriptedRuntime();
    Object.assign(runtime, { configuration: claudeConfiguration({}) });
    const { host, session } = lab.openHost({ runtimes: [runtime] });
    const { worktree } = await session();
    const statusNow = async () => (await host.trust.get(worktree.path)).status;
    expect(await statusNow()).toBe("untrusted");
    await host.trust.set(lab.repository, (await host.trust.get(lab.repository)).digest);
    expect(await statusNow()).toBe("trusted");
    await lab.write(join(worktree.path, ".claude/settings.json"), hook("curl evil"));
    expect(await statusNow()).toBe("changed");
    expect((await host.trust.get(lab.repository)).status).toBe("trusted");
    await lab.write(join(worktree.path, ".claude/settings.json"), hook("./check.sh"));
    expect(await statusNow()).toBe("trusted");
    await lab.write(join(lab.repository, ".claude/settings.json"), hook("other"));
    expect(await statusNow()).toBe("changed");
  });
});

describe("a copy of a session", () => {
  test("works in the same worktree, which is removed with the last of them", async () => {
    const lab = await openLab();
    const { session, remove, host } = lab.openHost();
    const { id, worktree, session: source, cwd } = await session();
    const forked = await source.execute({ type: "fork" }, admin);
    if (!forked.ok || !forked.value.forked) throw new Error("There is no copy.");
    const copy = forked.value.forked;
    expect(copy).toMatchObject({ cwd, worktree });
    expect(await remove(id, "discard")).toMatchObject({
      is_removed: false,
      keep_reasons: ["in_use"],
    });
    const [listed] = (await host.worktrees.list(admin)).worktrees;
    expect(listed).toMatchObject({ status: "in_use", session_ids: [copy.session_id] });
    expect(await remove(copy.session_id)).toMatchObject({
      is_removed: true,
      is_branch_removed: true,
    });
  });

  test("deleting both at once removes the worktree once, and leaves nothing", async () => {
    const lab = await openLab();
    const { session, remove, host } = lab.openHost();
    const { id, worktree, session: source } = await session();
    const forked = await source.execute({ type: "fork" }, admin);
    const copyId = forked.ok ? (forked.value.forked?.session_id ?? "") : "";
    await Promise.all([remove(id), remove(copyId)]);
    expect(existsSync(worktree.path)).toBe(false);
    expect((await host.worktrees.list(admin)).worktrees).toEqual([]);
    expect((await lab.traces()).files).toEqual([]);
  });
});

describe("after a crash", () => {
  /** The record of a worktree as another process left it. */
  async function leave(lab: Lab, id: string, status: string): Promise<void> {
    const path = join(lab.directory, ".records", `${id}.json`);
    const record = JSON.parse(await readFile(path, "utf8")) as object;
    await writeFile(path, JSON.stringify({ ...record, status }));
  }

  test("a half-made worktree is taken back, with its branch", async () => {
    const lab = await openLab();
    const before = await lab.traces();
    const first = lab.openHost();
    await first.session();
    const [made] = (await first.host.worktrees.list(admin)).worktrees;
    await leave(lab, made?.id ?? "", "creating");
    // Another store: the session was not stored yet.
    const second = lab.openHost();
    await second.host.recover();
    expect(await lab.traces()).toEqual(before);
    expect((await second.host.worktrees.list(admin)).worktrees).toEqual([]);
    expect(second.errors).toEqual([]);
  });

  test("a branch that somebody else made is not taken back with a half-made worktree", async () => {
    const lab = await openLab();
    lab.git("branch", "mine");
    const worktree = {
      branch: "mine",
      base: "main",
      base_commit: lab.git("rev-parse", "main"),
      path: join(lab.directory, "shop-1/mine"),
      repository: lab.repository,
    };
    const { worktreeId } = await import("../../../../workspace/src/worktree/worktree-records.ts");
    const record = {
      session_id: "s",
      owner: "admin",
      worktree,
      status: "creating",
      has_branch: false,
      created_at: new Date().toISOString(),
    };
    await lab.write(
      join(lab.directory, ".records", `${worktreeId(worktree.path)}.json`),
      JSON.stringify(record),
    );
    const { host } = lab.openHost();
    await host.recover();
    expect(lab.git("branch", "--list", "mine")).toContain("mine");
    expect((await host.worktrees.list(admin)).worktrees).toEqual([]);
  });

  test("one whose session was stored is in use, and one whose session is gone is removed as far as nothing is lost", async () => {
    const lab = await openLab();
    const first = lab.openHost();
    const stored = await first.session({ title: "stored" });
    const [one] = (await first.host.worktrees.list(admin)).worktrees;
    await first.host.close();
    await leave(lab, one?.id ?? "", "creating");
    const second = lab.openHost({ store: first.store });
    await second.host.recover();
    expect((await second.host.worktrees.list(admin)).worktrees).toMatchObject([
      { path: stored.worktree.path, status: "in_use" },
    ]);
    await second.host.close();

    const third = lab.openHost();
    const dirty = await third.session({ title: "dirty" });
    await writeFile(join(dirty.worktree.path, "new.txt"), "work");
    await third.host.close();
    // Another store again: both sessions are gone.
    const fourth = lab.openHost();
    await fourth.host.recover();
    expect(existsSync(stored.worktree.path)).toBe(false);
    expect(await readFile(join(dirty.worktree.path, "new.txt"), "utf8")).toBe("work");
    expect((await fourth.host.worktrees.list(admin)).worktrees).toMatchObject([
      { path: dirty.worktree.path, status: "kept", contents: { untracked: 1 } },
    ]);
  });

  test.each([
    [".checking-", true],
    [".removed-", false],
  ])("a directory that was moved to %s… is completed", async (prefix, isBack) => {
    const lab = await openLab();
    const first = lab.openHost();
    const { worktree } = await first.session();
    await writeFile(join(worktree.path, "late.txt"), "saved at the last moment");
    await first.host.close();
    const aside = join(dirname(worktree.path), `${prefix}${basename(worktree.path)}`);
    await rename(worktree.path, aside);
    const second = lab.openHost();
    await second.host.recover();
    expect(existsSync(aside)).toBe(false);
    expect(existsSync(join(worktree.path, "late.txt"))).toBe(isBack);
    expect(lab.git("worktree", "list").includes(worktree.path)).toBe(isBack);
  });

  test("a record that makes no sense is reported and left alone", async () => {
    const lab = await openLab();
    await lab.write(join(lab.directory, ".records/0123456789abcdef.json"), "{ broken");
    const { host, errors, session } = lab.openHost();
    await session();
    expect((await host.worktrees.list(admin)).worktrees).toHaveLength(1);
    expect(String(errors[0])).toContain("0123456789abcdef.json");
  });
});

test("what is saved while a worktree is removed is noticed, and the worktree stays where it was", async () => {
  const lab = await openLab();
  const { session, remove } = lab.openHost();
  const { id, worktree } = await session();
  const bin = join(lab.place, "bin");
  const moved = join(dirname(worktree.path), `.checking-${basename(worktree.path)}`);
  // A git that saves a file right before it looks at the moved directory.
  await lab.write(
    join(bin, "git"),
    `#!/bin/sh\n[ -d ${moved} ] && echo late > ${moved}/late.txt\nPATH=${process.env["PATH"]} exec git "$@"\n`,
  );
  const { chmod } = await import("node:fs/promises");
  await chmod(join(bin, "git"), 0o755);
  const path = process.env["PATH"];
  process.env["PATH"] = `${bin}:${path}`;
  try {
    expect(await remove(id)).toMatchObject({ is_removed: false, keep_reasons: ["uncommitted"] });
  } finally {
    process.env["PATH"] = path;
  }
  expect(await readFile(join(worktree.path, "late.txt"), "utf8")).toBe("late\n");
  expect(lab.gitIn(worktree.path, "status", "--porcelain")).toBe("?? late.txt");
});

test("a guest sees the worktrees of their own sessions only", async () => {
  const lab = await openLab();
  const guest = { id: "guest", isAdmin: false };
  const { session, host } = lab.openHost();
  await session();
  const own = await session({}, guest);
  expect((await host.worktrees.list(guest)).worktrees.map(({ path }) => path)).toEqual([
    own.worktree.path,
  ]);
  expect((await host.worktrees.list(admin)).worktrees).toHaveLength(2);
});

describe("a session that is created in the worktree of another", () => {
  test("shares it: it stays until the last of them is gone", async () => {
    const lab = await openLab();
    const { host, session, remove } = lab.openHost();
    const first = await session();
    const second = await session({ cwd: first.cwd, worktree: undefined });
    expect(second).toMatchObject({ cwd: first.cwd, worktree: first.worktree });
    const inner = await session({ cwd: join(first.cwd, "packages"), worktree: undefined });
    expect(inner.worktree).toEqual(first.worktree);
    const [listed] = (await host.worktrees.list(admin)).worktrees;
    expect(listed?.session_ids.toSorted()).toEqual([first.id, second.id, inner.id].toSorted());
    expect((await remove(first.id)).is_removed).toBe(false);
    expect((await remove(inner.id)).is_removed).toBe(false);
    expect((await remove(second.id)).is_removed).toBe(true);
    expect(existsSync(first.worktree.path)).toBe(false);
  });

  test("is its owner's or an admin's: others are refused, and so is a place beside it", async () => {
    const lab = await openLab();
    const { session, create } = lab.openHost();
    const { cwd } = await session();
    const other = { id: "other", isAdmin: false };
    const refused = { ok: false, error: { code: "cwd_not_allowed" } };
    expect(await create({ cwd, worktree: undefined }, other)).toMatchObject(refused);
    expect(await create({ cwd: dirname(cwd), worktree: undefined })).toMatchObject(refused);
    const link = join(lab.place, "link");
    await symlink(lab.place, link);
    expect(await create({ cwd: link, worktree: undefined })).toMatchObject(refused);
  });

  test("is refused where the repository is not a place to work in any more", async () => {
    const lab = await openLab();
    const { cwd } = await lab.openHost().session();
    const elsewhere = join(lab.place, "elsewhere");
    await mkdir(elsewhere);
    const { create } = lab.openHost({ roots: [elsewhere] });
    const created = await create({ cwd, worktree: undefined });
    expect(created).toMatchObject({ ok: false, error: { code: "cwd_not_allowed" } });
  });
});
