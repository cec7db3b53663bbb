import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { runGit } from "./git-command.ts";
import { readGit } from "./read-git.ts";

let place: string;
let repository: string;

beforeEach(async () => {
  place = await realpath(await mkdtemp(join(tmpdir(), "turnwire-git-")));
  repository = join(place, "app");
  await mkdir(join(repository, "src"), { recursive: true });
  git("init", "--quiet", "--initial-branch=main");
  await writeFile(join(repository, "src", "a.txt"), "one\n");
  git("add", ".");
  commit("first");
  return () => {
    vi.unstubAllEnvs();
    return rm(place, { recursive: true, force: true });
  };
});

function gitIn(directory: string, ...args: string[]): string {
  const env = { PATH: process.env["PATH"], HOME: place, GIT_CONFIG_NOSYSTEM: "1" };
  return execFileSync("git", ["-C", directory, ...args], { env, encoding: "utf8", stdio: "pipe" });
}

function git(...args: string[]): string {
  return gitIn(repository, ...args);
}

function commit(message: string): void {
  git("-c", "user.name=T", "-c", "user.email=t@example.com", "commit", "--quiet", "-m", message);
}

describe("what git knows of a directory", () => {
  test("is its branch, and whether there are changes in it", async () => {
    expect(await readGit(repository)).toEqual({ branch: "main", is_dirty: false });
    git("switch", "--quiet", "--create", "feature/größe");
    await writeFile(join(repository, "new.txt"), "");
    expect(await readGit(repository)).toEqual({ branch: "feature/größe", is_dirty: true });
    // The change is beside it.
    expect(await readGit(join(repository, "src"))).toEqual({
      branch: "feature/größe",
      is_dirty: false,
    });
    await writeFile(join(repository, "src", "a.txt"), "two\n");
    expect((await readGit(join(repository, "src")))?.is_dirty).toBe(true);
  });

  test("is the branch also before the first commit, and none where a commit is checked out", async () => {
    git("checkout", "--quiet", "--detach");
    expect(await readGit(repository)).toEqual({ is_dirty: false });
    const empty = join(place, "empty");
    await mkdir(empty);
    gitIn(empty, "init", "--quiet", "--initial-branch=trunk");
    expect(await readGit(empty)).toEqual({ branch: "trunk", is_dirty: false });
  });

  test("is for a linked working tree also which one it belongs to", async () => {
    const linked = join(place, "linked");
    git("worktree", "add", "--quiet", "-b", "side", linked);
    expect(await readGit(linked)).toEqual({
      branch: "side",
      is_dirty: false,
      worktree_of: repository,
    });
  });

  test("is nothing outside of a repository, in a broken one, in a missing directory and without git", async () => {
    expect(await readGit(place)).toBeUndefined();
    expect(await readGit(join(place, "missing"))).toBeUndefined();
    expect(await readGit(join(repository, ".git"))).toBeUndefined();
    const broken = join(place, "broken");
    await mkdir(join(broken, ".git"), { recursive: true });
    expect(await readGit(broken)).toBeUndefined();
    vi.stubEnv("PATH", join(place, "nothing"));
    expect(await readGit(repository)).toBeUndefined();
  });

  test("does not depend on the variables of the server", async () => {
    vi.stubEnv("GIT_DIR", join(place, "missing"));
    vi.stubEnv("GIT_INDEX_FILE", join(place, "missing"));
    expect(await readGit(repository)).toEqual({ branch: "main", is_dirty: false });
  });

  test("is read without writing to the repository", async () => {
    await writeFile(join(repository, "src", "a.txt"), "one\n");
    const before = await readdir(join(repository, ".git"));
    await writeFile(join(repository, ".git", "index.lock"), "");
    expect(await readGit(repository)).toEqual({ branch: "main", is_dirty: false });
    await rm(join(repository, ".git", "index.lock"));
    expect(await readdir(join(repository, ".git"))).toEqual(before);
  });

  test("is not waited for longer than the limit, and its process is ended", async () => {
    const bin = join(place, "bin");
    await mkdir(bin);
    await writeFile(join(bin, "git"), `#!/bin/sh\necho $$ > ${place}/pid\nexec sleep 600\n`);
    await chmod(join(bin, "git"), 0o755);
    vi.stubEnv("PATH", `${bin}:${process.env["PATH"] ?? ""}`);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const command = { directory: repository, args: ["status"], timeoutMs: 5000, maxBytes: 100 };
    const answer = runGit(command);
    const readPid = async () => (await readFile(join(place, "pid"), "utf8").catch(() => "")).trim();
    await expect.poll(readPid).not.toBe("");
    vi.advanceTimersByTime(5000);
    expect(await answer).toBeUndefined();
    const pid = await readPid();
    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test("is not asked of a program in the repository, whatever PATH says", async () => {
    await writeFile(join(repository, "git"), `#!/bin/sh\ntouch ${place}/canary\n`);
    await chmod(join(repository, "git"), 0o755);
    vi.stubEnv("PATH", `:.:${process.env["PATH"] ?? ""}`);
    expect(await readGit(repository)).toEqual({ branch: "main", is_dirty: true });
    expect(existsSync(join(place, "canary"))).toBe(false);
  });
});

/** Ways in which a repository makes `git status` run a program. Each is shown to do so first. */
describe("a hostile repository runs nothing:", () => {
  const attacks: Record<string, (canary: string) => Promise<void>> = {
    "a file system monitor": async (canary) => {
      git("config", "core.fsmonitor", canary);
    },
    "a clean filter": async (canary) => {
      git("config", "filter.evil.clean", canary);
      await attribute("* filter=evil");
    },
    "a filter whose name looks like an assignment": async (canary) => {
      git("config", "filter.a=b.clean", canary);
      await attribute("* filter=a=b");
    },
    "a long-running filter": async (canary) => {
      git("config", "filter.evil.process", canary);
      await attribute("* filter=evil");
    },
    "a filter in an included file": async (canary) => {
      await writeFile(join(place, "more"), `[filter "evil"]\n\tclean = ${canary}\n`);
      git("config", "include.path", join(place, "more"));
      await attribute("* filter=evil");
    },
    "a filter in the configuration of the working tree": async (canary) => {
      git("config", "extensions.worktreeConfig", "true");
      git("config", "--worktree", "filter.evil.clean", canary);
      await attribute("* filter=evil");
    },
    "a submodule with a monitor of its own": async (canary) => {
      const inner = join(repository, "inner");
      await mkdir(inner);
      gitIn(inner, "init", "--quiet");
      await writeFile(join(inner, "x"), "");
      gitIn(inner, "add", ".");
      gitIn(inner, "-c", "user.name=T", "-c", "user.email=t@e", "commit", "-qm", "x");
      git("add", "inner");
      commit("with a submodule");
      gitIn(inner, "config", "core.fsmonitor", canary);
    },
    "a missing object and a remote that is a program": async (canary) => {
      git("config", "core.repositoryFormatVersion", "1");
      git("config", "extensions.partialClone", "origin");
      git("config", "remote.origin.url", `ext::${canary}`);
      git("config", "remote.origin.promisor", "true");
      git("config", "protocol.ext.allow", "always");
      const tree = git("rev-parse", "HEAD^{tree}").trim();
      const object = join(repository, ".git", "objects", tree.slice(0, 2), tree.slice(2));
      await rm(object);
    },
  };

  async function attribute(line: string): Promise<void> {
    await appendFile(join(repository, ".gitattributes"), `${line}\n`);
    // Another time, so that git compares the content.
    await writeFile(join(repository, "src", "a.txt"), "two\n");
  }

  test.each(Object.entries(attacks))("%s", async (_name, attack) => {
    const canary = join(place, "canary.sh");
    const trace = join(place, "trace");
    await writeFile(canary, `#!/bin/sh\necho ran >> ${trace}\nexit 1\n`);
    await chmod(canary, 0o755);
    await attack(canary);
    try {
      git("status");
    } catch {
      // Some of these break it; that they run is what counts.
    }
    expect(existsSync(trace)).toBe(true);
    await rm(trace);
    const facts = await readGit(repository);
    expect(existsSync(trace)).toBe(false);
    expect(facts?.branch).toBe("main");
  });
});

describe("a repository that changes its configuration while it is read runs nothing:", () => {
  test("a filter that is there only when git is not asked for the configuration", async () => {
    const { trace, canary } = await hostileCanary();
    const benign = await readFile(join(repository, ".git", "config"), "utf8");
    await writeFile(join(place, "benign"), benign);
    await writeFile(
      join(place, "hostile"),
      `${benign}[filter "evil"]\n\tclean = ${canary}\n[core]\n\tfsmonitor = ${canary}\n`,
    );
    await appendFile(join(repository, ".gitattributes"), "* filter=evil\n");
    await writeFile(join(repository, "src", "a.txt"), "two\n");
    await putBeforeGit(
      `case " $* " in *" config "*) as=benign;; *) as=hostile;; esac`,
      `cp ${place}/$as ${repository}/.git/config`,
    );
    expect(await readGit(repository)).toEqual({ branch: "main", is_dirty: true });
    expect(await readFile(join(repository, ".git", "config"), "utf8")).toContain("evil");
    expect(existsSync(trace)).toBe(false);
    expect(() => git("status")).not.toThrow();
    expect(existsSync(trace)).toBe(true);
  });

  test("another repository in its place", async () => {
    const { trace, canary } = await hostileCanary();
    await appendFile(join(repository, ".gitattributes"), "* filter=evil\n");
    await cp(join(repository, ".git"), join(place, "other"), { recursive: true });
    gitIn(place, "--git-dir", join(place, "other"), "config", "filter.evil.clean", canary);
    await writeFile(join(repository, "src", "a.txt"), "two\n");
    await putBeforeGit(
      `case " $* " in *" status "*) mv ${repository}/.git ${place}/away; mv ${place}/other ${repository}/.git;; esac`,
    );
    await readGit(repository);
    expect(existsSync(join(place, "away"))).toBe(true);
    expect(existsSync(trace)).toBe(false);
    vi.unstubAllEnvs();
    expect(() => git("status")).not.toThrow();
    expect(existsSync(trace)).toBe(true);
  });
});

async function hostileCanary() {
  const canary = join(place, "canary.sh");
  const trace = join(place, "trace");
  await writeFile(canary, `#!/bin/sh\necho ran >> ${trace}\n`);
  await chmod(canary, 0o755);
  return { canary, trace };
}

/** Runs lines of a shell script before each git that the server starts. */
async function putBeforeGit(...lines: string[]): Promise<void> {
  const bin = join(place, "bin");
  await mkdir(bin);
  const path = process.env["PATH"] ?? "";
  const script = ["#!/bin/sh", `PATH=${path}`, ...lines, 'exec git "$@"', ""].join("\n");
  await writeFile(join(bin, "git"), script, { mode: 0o755 });
  vi.stubEnv("PATH", `${bin}:${path}`);
}

function isRunning(pid: string): boolean {
  try {
    process.kill(Number(pid), 0);
    return true;
  } catch {
    return false;
  }
}
