import { execFile } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { promisify } from "node:util";

const aptGet = "/usr/bin/apt-get";

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export const hasDebianPackages = isExecutable(aptGet);

/** Installs a program that some tests need, where this process may; elsewhere it does nothing. */
export async function installDebianPackage(name: string): Promise<void> {
  if (!hasDebianPackages || process.getuid?.() !== 0) return;
  process.stderr.write(`Installing ${name} with apt-get, for the tests that need it…\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  const run = (...args: string[]) => promisify(execFile)(aptGet, [...args, "-qq"], { env });
  try {
    await run("update");
    await run("install", "-y", "--no-install-recommends", name);
  } catch (error) {
    process.stderr.write(`${name} could not be installed. ${String(error)}\n`);
  }
}
