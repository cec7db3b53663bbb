import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { mkdir, readFile, rename, rm, unlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const app = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const repository = join(app, "..", "..");
const cache = join(repository, "node_modules", ".cache", "turnwire-web-build");

/** What goes into a build: one of the same content is still right, whenever and wherever it was made. */
const sources = [
  join(app, "src"),
  join(app, "public"),
  join(app, "index.html"),
  join(app, "vite.config.ts"),
  join(repository, "package-lock.json"),
  ...["base", "client", "markdown", "protocol", "react"].map((name) =>
    join(repository, "packages", name, "src"),
  ),
];

const LOCK_WAIT_MS = 200;

let found: Promise<string> | undefined;

/** The directory of the built app; builds it if needed, once for all test processes. */
export function builtApp(): Promise<string> {
  found ??= findOrBuild();
  return found;
}

async function findOrBuild(): Promise<string> {
  const target = join(cache, fingerprint());
  while (!existsSync(join(target, "index.html"))) {
    if (await takeLock(`${target}.lock`)) {
      try {
        if (!existsSync(join(target, "index.html"))) await build(target);
      } finally {
        await unlink(`${target}.lock`);
      }
    } else await wait(LOCK_WAIT_MS);
  }
  return target;
}

async function build(target: string): Promise<void> {
  const fresh = `${target}.${process.pid}`;
  const vite = createRequire(import.meta.url).resolve("vite/package.json");
  const program = join(dirname(vite), "bin", "vite.js");
  const options = ["build", "--outDir", fresh, "--emptyOutDir", "--logLevel", "error"];
  await promisify(execFile)(process.execPath, [program, ...options], {
    cwd: app,
    env: { ...process.env, NODE_ENV: "production" },
  });
  await rm(target, { recursive: true, force: true });
  await rename(fresh, target);
}

/** False while another living process has it; a dead one's lock is taken away. */
async function takeLock(path: string): Promise<boolean> {
  await mkdir(cache, { recursive: true });
  try {
    await writeFile(path, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (!isCode(error, "EEXIST")) throw error;
  }
  const holder = Number(await readFile(path, "utf8").catch(() => ""));
  if (holder > 0 && !isAlive(holder)) await rm(path, { force: true });
  return false;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return isCode(error, "EPERM");
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

function fingerprint(): string {
  const hash = createHash("sha256");
  for (const path of sources.flatMap(filesBelow)) {
    const name = relative(repository, path);
    if (/\.test\.tsx?$|test-support/.test(name)) continue;
    const content = readFileSync(path);
    hash.update(`${name} ${content.length}\n`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

/** The file itself, or all files of a directory, in one order on all machines. */
function filesBelow(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
