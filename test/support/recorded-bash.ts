import { isExecutable, installDebianPackage } from "./debian-package.ts";

/** The programs with which the fuzzer of policies runs commands, by the Debian package of each. */
const programs: Readonly<Record<string, string>> = { bwrap: "bubblewrap", strace: "strace" };

/** Runs before the system lane. */
export async function setup(): Promise<void> {
  for (const [program, debianPackage] of Object.entries(programs)) {
    if (!isExecutable(`/usr/bin/${program}`)) await installDebianPackage(debianPackage);
  }
}
