import { realpath } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

/** The real path of a directory, also of one that is made later. */
export async function realPathToBe(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ENOENT";
    if (!isMissing) throw error;
    return join(await realPathToBe(dirname(path)), basename(path));
  }
}
