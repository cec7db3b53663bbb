import { delimiter, join } from "node:path";
import { installDebianPackage, isExecutable } from "./debian-package.ts";

/** Runs before the lanes whose tests contain commands: without it, those tests are skipped. */
export async function setup(): Promise<void> {
  const directories = (process.env["PATH"] ?? "").split(delimiter);
  const isThere = directories.some((directory) => isExecutable(join(directory, "bwrap")));
  if (process.platform === "linux" && !isThere) await installDebianPackage("bubblewrap");
}
