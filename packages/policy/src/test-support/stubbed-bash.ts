import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Real programs that scripts may use; every other name is missing or a stub. */
const real =
  "ls cat head tail wc grep sort uniq cut tr find xargs env timeout nice bash sh sed awk stat file basename dirname date seq sleep true false printf test diff cmp nl tac rev od md5sum sha256sum readlink realpath uname id".split(
    " ",
  );
const stubs = "payload rm touch tee cp mv ln mkdir dd curl wget nc ssh sudo evil".split(" ");

/** A directory with a PATH of its own, in which a stubbed program leaves a mark. */
export interface StubbedBash {
  readonly cwd: string;
  /** Runs a script; answers with what it did that a reader does not do. */
  run(script: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

const files = ["a.txt", "b.txt", "sub"];

export async function createStubbedBash(): Promise<StubbedBash> {
  const base = await mkdtemp(join(tmpdir(), "turnwire-policy-"));
  const bin = join(base, "bin");
  const cwd = join(base, "project");
  const mark = join(base, "mark");
  await mkdir(bin);
  await mkdir(join(cwd, "sub"), { recursive: true });
  for (const name of real) {
    const path = [`/usr/bin/${name}`, `/bin/${name}`].find((candidate) => existsSync(candidate));
    if (path !== undefined) await symlink(path, join(bin, name));
  }
  for (const name of stubs) {
    const path = join(bin, name);
    await writeFile(path, `#!/bin/bash\necho "$0" >> ${mark}\n`);
    await chmod(path, 0o755);
  }
  for (const name of files.slice(0, 2)) await writeFile(join(cwd, name), "x y\n");
  return {
    cwd,
    async run(script) {
      await runScript(script, { cwd, bin });
      const left = await readdir(cwd);
      const inside = await readdir(join(cwd, "sub"));
      const traces = [
        ...(existsSync(mark) ? ["it reached a stubbed program"] : []),
        ...left.filter((name) => !files.includes(name)).map((name) => `it made ${name}`),
        ...files.filter((name) => !left.includes(name)).map((name) => `it removed ${name}`),
        ...inside.map((name) => `it made sub/${name}`),
      ];
      await rm(mark, { force: true });
      return traces;
    },
    remove: () => rm(base, { recursive: true, force: true }),
  };
}

/** Ends with the script, or with the limit of 3 s. */
async function runScript(
  script: string,
  { cwd, bin }: { cwd: string; bin: string },
): Promise<void> {
  const child = spawn("/bin/bash", ["-c", script], {
    cwd,
    env: { PATH: bin, HOME: cwd, FUNCNEST: "20" },
    stdio: "ignore",
    detached: true,
  });
  const { pid } = child;
  const timer = setTimeout(() => endGroup(pid), 3_000);
  await once(child, "exit");
  clearTimeout(timer);
  endGroup(pid);
}

/** Ends the script and what it left behind: a group of its own. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
