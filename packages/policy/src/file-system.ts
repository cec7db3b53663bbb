/** The evaluator's view of a real file system. */
import { lstatSync, readdirSync, realpathSync } from "node:fs";
import { isObject } from "@turnwire/base";
import type { DirectoryEntry } from "./facts.ts";

/** The real path of what exists, undefined for what does not; throws where it cannot be known. */
export function realPath(path: string): string | undefined {
  return exists(path) ? realpathSync.native(path) : undefined;
}

/** A link that leads nowhere exists. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    if (isObject(error) && error["code"] === "ENOTDIR") return false;
    throw error;
  }
}

/** The entries of a directory; undefined for anything else. */
export function entries(directory: string): readonly DirectoryEntry[] | undefined {
  try {
    return readdirSync(directory, { withFileTypes: true }).map((entry) => ({
      name: entry.name,
      type: entry.isSymbolicLink() ? "link" : entry.isDirectory() ? "directory" : "file",
    }));
  } catch (error) {
    const code = isObject(error) ? error["code"] : undefined;
    if (code === "ENOTDIR" || code === "ENOENT") return undefined;
    throw error;
  }
}
