import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";

/** Files that never end up in a bundle. */
const left = /(^|\/)(node_modules|dist|test-support)$|\.test\.tsx?$|\.tsbuildinfo$/;

/** One hash of the names and contents of files and whole directories: times do not count, a checkout changes them at will. */
export function fingerprint(root: string, paths: readonly string[]): string {
  const hash = createHash("sha256");
  for (const file of paths.flatMap((path) => filesIn(join(root, path))).toSorted()) {
    const content = readFileSync(file);
    hash.update(`${relative(root, file)}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex");
}

function filesIn(path: string): string[] {
  if (left.test(path)) return [];
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory() !== true) return stats ? [path] : [];
  return readdirSync(path).flatMap((name) => filesIn(join(path, name)));
}
