import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "@turnwire/base";
import type {
  CreateSession,
  SessionInfo,
  Worktree,
  WorktreeChoice,
  Principal,
} from "@turnwire/protocol";
import { onTestFinished } from "vitest";
import { admin, openTestHost } from "./test-host.ts";
import type { SessionHostOptions } from "../3-host/creation/session-host-options.ts";

/** A repository with one commit, and hosts that make worktrees of it. */
export async function openLab() {
  const place = await realpath(await mkdtemp(join(tmpdir(), "turnwire-worktree-")));
  const repository = join(place, "code", "shop");
  const directory = join(place, "data", "worktrees");
  const git = (...args: string[]): string => gitIn(repository, ...args);
  const gitIn = (at: string, ...args: string[]): string =>
    execFileSync(
      "git",
      ["-C", at, "-c", "user.name=T", "-c", "user.email=t@example.com", ...args],
      {
        env: { PATH: process.env["PATH"], HOME: place, GIT_CONFIG_NOSYSTEM: "1" },
        encoding: "utf8",
        stdio: "pipe",
      },
    ).trim();
  const write = async (path: string, text: string): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };
  const commitIn = (at: string, message: string): void => {
    gitIn(at, "add", "--all");
    gitIn(at, "commit", "--quiet", "--message", message);
  };
  await mkdir(repository, { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  await write(join(repository, ".gitignore"), ".env*\nignored/\n");
  await write(join(repository, "README.md"), "Shop\n");
  await write(join(repository, "packages/app/index.ts"), "export {};\n");
  commitIn(repository, "first");

  const hosts: { close: () => Promise<void> }[] = [];
  onTestFinished(async () => {
    await Promise.all(hosts.map((host) => host.close()));
    await rm(place, { recursive: true, force: true });
  });

  /** A host with the system's clock: git and setup commands take real time. */
  const openHost = (options: Partial<SessionHostOptions> = {}) => {
    const { clock: _clock, ...opened } = openTestHost({
      clock: systemClock,
      roots: [join(place, "code")],
      worktrees: { directory },
      ...options,
    });
    hosts.push(opened.host);
    const create = (wish: CreateSession = {}, principal: Principal = admin) =>
      opened.host.create({ cwd: repository, worktree: true, ...wish }, principal);
    /** A session with its worktree; the test fails where there is none. */
    const session = async (wish: CreateSession = {}, principal: Principal = admin) => {
      const created = await create(wish, principal);
      if (!created.ok) throw new Error(created.error.message);
      return { session: created.value, ...factsOf(created.value.info()) };
    };
    const remove = async (sessionId: string, choice?: WorktreeChoice) => {
      const removed = await opened.host.delete(sessionId, admin, choice);
      if (!removed.ok) throw new Error(removed.error.message);
      if (!removed.value) throw new Error("The session had no worktree.");
      return removed.value;
    };
    return { ...opened, create, session, remove };
  };

  /** Everything that a worktree leaves in the repository and beside it. */
  const traces = async () => ({
    branches: git("for-each-ref", "--format=%(refname) %(objectname)"),
    worktrees: git("worktree", "list", "--porcelain"),
    configuration: git("config", "--local", "--list"),
    status: git("status", "--porcelain"),
    files: (await readdir(directory, { recursive: true }).catch(() => [])).filter(
      (name) => name !== ".records",
    ),
  });

  return { place, repository, directory, git, gitIn, write, commitIn, openHost, traces };
}

function factsOf(info: SessionInfo): { id: string; worktree: Worktree; cwd: string } {
  if (!info.worktree) throw new Error("The session has no worktree.");
  return { id: info.session_id, worktree: info.worktree, cwd: info.cwd ?? "" };
}
