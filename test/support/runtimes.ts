import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Why the other JavaScript runtimes are not there; undefined when they are. */
    runtimesProblem: string | undefined;
  }
}

const directory = fileURLToPath(new URL("../runtimes", import.meta.url));
const lockFile = join(directory, "package-lock.json");
/** Holds the lock file that was installed: another one means to install again. */
const stampFile = join(directory, "node_modules", ".installed-lock.json");

/** Runs before the long system lane: installs the runtimes that only its tests need. */
export async function setup(project: TestProject): Promise<void> {
  project.provide("runtimesProblem", await installRuntimes());
}

async function installRuntimes(): Promise<string | undefined> {
  const lock = await readFile(lockFile, "utf8");
  if ((await readFile(stampFile, "utf8").catch(() => "")) === lock) return undefined;
  process.stderr.write("Installing Bun and Deno (about 200 MB) into test/runtimes with npm…\n");
  try {
    // Their install scripts only link what npm has brought already.
    await promisify(execFile)("npm", ["install", "--no-save", "--ignore-scripts"], {
      cwd: directory,
    });
    await writeFile(stampFile, lock);
    return undefined;
  } catch (error) {
    const output = error instanceof Error && "stderr" in error ? String(error.stderr) : "";
    return `\`npm install\` in test/runtimes failed. ${output.trim() || String(error)}`;
  }
}
