/** The evaluator's view of a real file system. */
import { lstatSync, realpathSync } from "node:fs";
import { isObject } from "@turnwire/base";

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
