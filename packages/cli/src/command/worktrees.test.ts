import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SessionInfo, WorktreeInfo } from "@turnwire/protocol";
import { beforeEach, describe, expect, test } from "vitest";
import { useServedMachine } from "../test-support/served-machine.ts";

describe("turnwire worktrees", () => {
  const served = useServedMachine();

  function git(...args: readonly string[]): string {
    const { cwd, home } = served.machine;
    const env = { PATH: process.env["PATH"], HOME: home, GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    return execFileSync("git", ["-C", cwd, ...who, ...args], { env, encoding: "utf8" }).trim();
  }

  beforeEach(async () => {
    git("init", "--quiet", "--initial-branch=main");
    await writeFile(join(served.machine.cwd, "a.txt"), "a");
    git("add", ".");
    git("commit", "--quiet", "--message", "first");
  });

  async function newSession(...args: readonly string[]) {
    const [made] = await served.json("sessions", "new", "--json", ...args);
    const { session_id: id, worktree } = made as SessionInfo;
    if (!worktree) throw new Error("The session has no worktree.");
    return { id, worktree };
  }

  test("a session gets a branch and directory of its own, listed with what they hold", async () => {
    expect(await served.output("worktrees")).toMatch(/^There are no worktrees\./);
    const { id, worktree } = await newSession("--branch", "feature/x", "--base", "main");
    expect(worktree).toMatchObject({ branch: "feature/x", base: "main" });
    expect(await served.output("worktrees")).toMatch(
      new RegExp(`feature/x +session ${id.slice(0, 8)} +nothing to lose`),
    );
    const [listed] = (await served.json("worktrees", "--json")) as WorktreeInfo[];
    expect(listed).toMatchObject({ branch: "feature/x", session_ids: [id], status: "in_use" });
  });

  test("deleting a session says what became of its worktree; prune and remove clear up", async () => {
    const clean = await newSession("--worktree");
    expect(await served.output("sessions", "delete", clean.id)).toContain("were removed.");
    const kept = await newSession("--worktree");
    expect(await served.output("sessions", "delete", kept.id, "--keep-worktree")).toContain(
      "was kept, because you asked for it",
    );
    const dirty = await newSession("--worktree");
    await writeFile(join(dirty.worktree.path, "new.txt"), "new");
    expect(await served.output("sessions", "delete", dirty.id)).toContain(
      `The worktree ${dirty.worktree.path} with branch ${dirty.worktree.branch} was kept`,
    );
    const pruned = await served.output("worktrees", "prune");
    expect(pruned).toContain(`The worktree ${kept.worktree.path} and its branch`);
    expect(pruned).toContain("files that git does not know");
    expect(existsSync(dirty.worktree.path)).toBe(true);

    const refused = await served.machine.run(["worktrees", "remove", dirty.worktree.branch]);
    expect(refused).toMatchObject({ code: 1, stdout: expect.stringContaining("was kept") });
    const { branch } = dirty.worktree;
    expect(await served.output("worktrees", "remove", branch, "--discard")).toContain(
      "were removed.",
    );
    expect(await served.output("worktrees", "prune")).toBe("There was nothing to remove.\n");
    expect(git("branch", "--format=%(refname:short)")).toBe("main");
    expect(git("worktree", "list").split("\n")).toHaveLength(1);
  });

  test("a session is deleted with all its work only when that is said", async () => {
    const { id, worktree } = await newSession("--worktree");
    await writeFile(join(worktree.path, "new.txt"), "new");
    await served.output("sessions", "delete", id, "--discard-worktree");
    expect(existsSync(worktree.path)).toBe(false);
  });

  test.each([
    [["worktrees", "lst"], 2, "Did you mean list?"],
    [["worktrees", "remove"], 2, "Which worktree?"],
    [["worktrees", "remove", "nothing"], 2, 'There is no worktree "nothing"'],
    [["worktrees", "prune", "--discard"], 2, "--discard is for one worktree"],
    [["sessions", "new", "--base", "nothing"], 1, "There is no branch, tag or commit nothing"],
    [["sessions", "new", "--branch", "main"], 1, "There is a branch main already"],
  ])("answers %j with %i and a reason", async (args, code, reason) => {
    const run = await served.machine.run(args);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(reason);
  });
});
