/** The evaluator's view of a real file system. */
import { lstatSync, realpathSync } from "node:fs";

/** The real path of what exists, undefined for what does not; throws where it cannot be known. */
export function realPath(path: string): string | undefined {
  const entry = lstatSync(path, { throwIfNoEntry: false });
  return entry && realpathSync.native(path);
}
