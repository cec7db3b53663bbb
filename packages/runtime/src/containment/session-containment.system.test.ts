import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ConfinedProject, noContainment, skipText } from "../test-support/confined-project.ts";
import type { ConfinementNeed } from "./confinement.ts";
import { containmentStatus, probe } from "./probe.ts";
import { sessionContainment } from "./session-containment.ts";

let directory: string;
let cwd: string;
let home: string;

beforeEach(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), "turnwire-contained-")));
  [cwd, home] = [join(directory, "project"), join(directory, "home")];
  mkdirSync(cwd);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const secretName = /\/\.env[^/]*$/;

function need(more: Partial<ConfinementNeed> = {}): ConfinementNeed {
  return {
    key: JSON.stringify(more),
    writes: "inside",
    reads: "inside",
    roots: [cwd],
    secretPaths: [join(home, ".ssh")],
    isSecret: (path) => secretName.test(path),
    isFixed: (path) => path.endsWith("/.npmrc"),
    ...more,
  };
}

/** Runs a command as an agent's shell would, and states where that shell is afterwards. */
async function run(command: string, bounds = need(), network = false) {
  const env = { PATH: process.env["PATH"], HOME: home, ANTHROPIC_API_KEY: "CANARY-key" };
  const containment = sessionContainment(containmentStatus(), { env, privatePaths: [] });
  const held = (await containment?.prepare(bounds))?.contain({
    command,
    cwd: bounds.roots[0] ?? cwd,
    network,
  });
  if (held === undefined) throw new Error("It cannot be held.");
  const line = `${held}\nstatus=$?; pwd; exit $status`;
  return spawnSync("/bin/bash", ["-c", line], { cwd, env, encoding: "utf8" });
}

describe.skipIf(noContainment !== undefined)(`a contained command${skipText}`, () => {
  test("leaves the shell where it ended, with its status and its output", async () => {
    mkdirSync(join(cwd, "sub dir"));
    const { stdout, stderr, status } = await run("echo out; echo err >&2; cd 'sub dir'; (exit 7)");
    expect([stdout, stderr, status]).toEqual([`out\n${cwd}/sub dir\n`, "err\n", 7]);
  });

  test("takes no process with it into the time afterwards", async () => {
    const { stdout } = await run("sleep 1000 & echo started");
    expect(stdout).toBe(`started\n${cwd}\n`);
  });

  test("commits, but changes nothing that steers git, also by moving it away", async () => {
    ConfinedProject.make(cwd, home);
    const before = readFileSync(join(cwd, ".git/config"), "utf8");
    const commit = "git -c user.name=n -c user.email=n@invalid commit -qam second";
    const { stderr } = await run(
      `echo more >> a.txt && ${commit}; mv .git moved; echo x > .git/config`,
    );
    expect(stderr).toContain("cannot move '.git'");
    expect(readFileSync(join(cwd, ".git/config"), "utf8")).toBe(before);
    const log = execFileSync("git", ["log", "--format=%s"], { cwd, encoding: "utf8" });
    expect(log).toBe("second\nfirst\n");
  });

  test("makes no hooks where there are none", async () => {
    execFileSync("git", ["init", "-q", "--template="], { cwd });
    const { stderr } = await run("mkdir -p .git/hooks; echo x > .git/hooks/pre-commit");
    expect(stderr).toContain("Read-only file system");
  });

  test("commits in a worktree, whose repository is elsewhere, and cannot name another one", async () => {
    ConfinedProject.make(cwd, home);
    const tree = join(directory, "tree");
    execFileSync("git", ["worktree", "add", "-q", tree], { cwd });
    const bounds = need({ roots: [tree] });
    const commit = "git -c user.name=n -c user.email=n@invalid commit -q --allow-empty -m second";
    const held = await run(`${commit}; echo x > .git; echo x > ${cwd}/.git/config`, bounds);
    expect(held.stderr.match(/Read-only file system/g)).toHaveLength(2);
    expect(execFileSync("git", ["log", "-1", "--format=%s"], { cwd: tree, encoding: "utf8" })).toBe(
      "second\n",
    );
    const other = join(directory, "other");
    execFileSync("git", ["init", "-q", other]);
    writeFileSync(join(tree, ".git"), `gitdir: ${other}/.git\n`);
    const strayed = await run(`ls ${other}/.git`, bounds);
    expect(strayed.stderr).toContain("cannot access");
  });

  test("finds a secret that was made after the last command, at any depth", async () => {
    mkdirSync(join(cwd, "deep"));
    expect((await run("ls deep")).status).toBe(0);
    writeFileSync(join(cwd, "deep/.env"), "CANARY-late");
    const { stdout, stderr } = await run("cat deep/.env");
    expect(stdout + stderr).not.toContain("CANARY");
  });

  test("does not write what rules fix by name, and has no credentials in its environment", async () => {
    writeFileSync(join(cwd, ".npmrc"), "kept");
    const { stdout } = await run("echo x > .npmrc; env; cat /proc/1/environ");
    expect(readFileSync(join(cwd, ".npmrc"), "utf8")).toBe("kept");
    expect(stdout).not.toContain("CANARY");
  });

  test("reaches a server of this machine only with network", async () => {
    const server = createServer((_, response) => response.end("REACHED"));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const command = `exec 3<>/dev/tcp/127.0.0.1/${port} && echo CONNECTED`;
    try {
      expect((await run(command)).stdout).not.toContain("CONNECTED");
      expect((await run(command, need(), true)).stdout).toContain("CONNECTED");
    } finally {
      server.close();
    }
  });
});

test("where bubblewrap is missing, the problem names the command that installs it", () => {
  expect(probe("linux", "/nowhere")).toMatchObject({
    problem: expect.stringContaining("apt-get install bubblewrap"),
  });
  expect(probe("win32").problem).toContain("Linux and macOS");
});

test("a bubblewrap that does not hold counts as none", () => {
  const fake = join(directory, "bwrap");
  const script = '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "$@"\n';
  writeFileSync(fake, script, { mode: 0o755 });
  expect(probe("linux", directory).problem).toContain("does not hold");
});
