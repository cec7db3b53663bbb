import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** Programs of this machine that scripts may use; every other name is missing, or a stand-in. */
const real =
  "ls cat head tail wc grep sort uniq cut tr find xargs env timeout nice nohup bash sh sed awk stat file basename dirname date seq sleep true false printf test diff cmp nl tac rev od md5sum readlink realpath uname id git watch flock tee cp mv ln rm mkdir touch truncate node npm".split(
    " ",
  );

/** Programs that load what a project names, as the real ones do. */
const standIns: Readonly<Record<string, string>> = {
  yarn: `file=$(sed -n 's/^yarn-path //p' .yarnrc 2>/dev/null); [ -n "$file" ] && exec sh "$file"`,
  pnpm: "[ -f .pnpmfile.cjs ] && exec sh .pnpmfile.cjs",
  npx: `while [ "\${1#-}" != "$1" ]; do shift; done; name=$1; shift; exec "./node_modules/.bin/$name" "$@"`,
  tsc: `exec ./node_modules/.bin/tsc "$@"`,
  python3: `[ "$1" = -m ] && [ -f "$2.py" ] && exec sh "$2.py"`,
  cargo: "[ -f rust-toolchain.toml ] && exec sh rust-toolchain.toml",
};

/** Secret files of the project; where the kernel holds a mode, they are not there. */
export const secretFiles = [".env", "env/.env", "key.pem"] as const;

/** The text of b.txt that git has not. */
export const uncommitted = "not committed\n";

export const canary = "canary-of-a-secret";

/** A project that wants to be more than it is, with a home directory and another one outside of it. */
export interface HostileProject {
  readonly base: string;
  readonly app: string;
  /** Makes everything as it was. */
  reset(): Promise<void>;
  remove(): Promise<void>;
}

export async function createHostileProject(): Promise<HostileProject> {
  const base = await mkdtemp(join(tmpdir(), "turnwire-fuzz-"));
  const first = join(base, "first");
  const app = join(base, "app");
  await makePrograms(base);
  for (const place of ["tmp", "log"]) await mkdir(join(base, place));
  await makeSurroundings(first);
  await makeProject(base, join(first, "app"));
  const reset = async (): Promise<void> => {
    for (const name of ["app", "home", "outside"]) {
      await rm(join(base, name), { recursive: true, force: true });
      await cp(join(first, name), join(base, name), { recursive: true, verbatimSymlinks: true });
    }
    await rm(join(base, "mark"), { force: true });
  };
  await reset();
  return { base, app, reset, remove: () => rm(base, { recursive: true, force: true }) };
}

async function makePrograms(base: string): Promise<void> {
  const bin = join(base, "bin");
  await mkdir(bin);
  for (const name of real) {
    const path = [`/usr/bin/${name}`, `/bin/${name}`].find(existsSync);
    if (path !== undefined) await symlink(path, join(bin, name));
  }
  await program(join(bin, "payload"), `echo reached >> ${base}/mark`);
  for (const [name, script] of Object.entries(standIns)) await program(join(bin, name), script);
}

async function program(path: string, script: string): Promise<void> {
  await writeFile(path, `#!/bin/sh\n${script}\n`);
  await chmod(path, 0o755);
}

async function makeSurroundings(first: string): Promise<void> {
  await write(join(first, "outside/secret.txt"), canary);
  await write(join(first, "outside/deep/other.txt"), canary);
  await write(join(first, "home/.ssh/id_ed25519"), canary);
  await write(join(first, "home/notes.txt"), canary);
}

async function write(path: string, text = "x y\n"): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function makeProject(base: string, app: string): Promise<void> {
  for (const name of ["a.txt", "b.txt", "src/a.ts", "src/b.md", "src/deep/c.ts", "odd name.txt"]) {
    await write(join(app, name));
  }
  for (const name of secretFiles) await write(join(app, name), canary);
  await symlink(join(base, "outside/secret.txt"), join(app, "notes.md"));
  await symlink(join(base, "outside"), join(app, "linkdir"));
  await symlink("src", join(app, "inner"));
  await symlink(join(base, "outside/secret.txt"), join(app, "src/deep/link.ts"));
  await write(join(app, "list"), `${base}/outside/secret.txt\0`);
  // Split at blanks, the name of this file is the one outside.
  await write(join(app, `odd/x ${base}/outside/secret.txt`));
  for (const tool of ["tsc", "eslint", "vitest", "tsx"]) {
    await write(join(app, "node_modules/.bin", tool));
    await program(join(app, "node_modules/.bin", tool), "payload");
  }
  await write(join(app, ".yarnrc"), "yarn-path evil/yarn\n");
  for (const name of ["evil/yarn", ".pnpmfile.cjs", "pip.py", "rust-toolchain.toml"]) {
    await write(join(app, name), "payload\n");
  }
  await makeRepositories(app);
}

const git = (cwd: string, ...args: string[]) =>
  run("git", ["-c", "user.name=x", "-c", "user.email=x@x", ...args], { cwd });

/** The project's own repository, and one within it that a clone could bring: its parts lie apart, and its configuration runs a program. */
async function makeRepositories(app: string): Promise<void> {
  const evil = join(app, "evil/gd");
  await git(app, "init", "-q", "-b", "main", evil);
  await write(join(evil, "x.txt"));
  await git(evil, "add", "x.txt");
  await git(evil, "commit", "-qm", "x");
  await git(evil, "config", "diff.x.textconv", "payload");
  await git(evil, "config", "core.bare", "true");
  await write(join(evil, ".git/info/attributes"), "* diff=x\n");
  await rename(join(evil, ".git"), join(app, "evil/parts"));
  await rm(evil, { recursive: true });
  await rename(join(app, "evil/parts"), evil);
  for (const place of ["wt", "nested"]) {
    await write(join(app, "evil", place, "HEAD"), "ref: refs/heads/main\n");
    await write(join(app, "evil", place, "commondir"), "../gd\n");
  }
  await mkdir(join(app, "evil/nested/.git"));
  await git(app, "init", "-q", "-b", "main");
  await git(app, "add", "-f", ".env", "a.txt", "b.txt", "src");
  await git(app, "commit", "-qm", "first");
  await write(join(app, "src/a.ts"), "z\n");
  await git(app, "commit", "-qam", "second");
  await write(join(app, "b.txt"), uncommitted);
}
