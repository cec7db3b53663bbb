import { execFile } from "node:child_process";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The newest Claude CLI that dials in anywhere; `problem` says why it is not there. */
    diallingCli: { readonly path: string; readonly problem: string | undefined };
  }
}

/** Later ones dial in at their vendor only. */
const version = "2.1.120";
const cache = fileURLToPath(
  new URL(`../../node_modules/.cache/claude-${version}`, import.meta.url),
);

/** Runs before the long tests of the agents: installs the CLI that only they need. */
export async function setup(project: TestProject): Promise<void> {
  const path = join(cache, "node_modules", ".bin", "claude");
  project.provide("diallingCli", { path, problem: await problemOf(path) });
}

async function problemOf(path: string): Promise<string | undefined> {
  try {
    await access(path).catch(install);
    const { stdout } = await promisify(execFile)(path, ["--version"]);
    if (stdout.startsWith(`${version} `)) return undefined;
    return `${path} is version ${stdout.trim()}, not ${version}: remove ${cache}`;
  } catch (error) {
    return `Claude CLI ${version} could not be installed: ${String(error)}`;
  }
}

async function install(): Promise<void> {
  process.stderr.write(`Installing the Claude CLI ${version} (about 240 MB) into ${cache}…\n`);
  await mkdir(cache, { recursive: true });
  const args = ["install", "--prefix", cache, "--no-audit", "--no-fund", "--no-save"];
  await promisify(execFile)("npm", [...args, `@anthropic-ai/claude-code@${version}`]);
}
