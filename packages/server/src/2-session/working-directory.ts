import { realpath, stat } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import { accepted, rejected, type Result } from "@turnwire/protocol";

/** The real path of a directory inside one of the allowed roots; links are followed before the check. */
export async function resolveWorkingDirectory(
  requested: string,
  roots: readonly string[],
): Promise<Result<string>> {
  if (requested.includes("\0") || !isAbsolute(requested)) {
    return rejected("invalid_request", "The cwd must be an absolute path.");
  }
  const path = await realDirectory(requested);
  if (path === undefined) {
    return rejected(
      "invalid_request",
      `The cwd ${requested} is not a directory that can be opened.`,
    );
  }
  const realRoots = await Promise.all(roots.map((root) => realDirectory(root)));
  if (realRoots.some((root) => root !== undefined && isInside(path, root))) return accepted(path);
  return rejected(
    "cwd_not_allowed",
    `The cwd ${requested} is outside the allowed roots: start the server with --root.`,
  );
}

async function realDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    // Missing, not permitted, a loop of links: all the same to the caller.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

function isInside(path: string, root: string): boolean {
  const way = relative(root, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
