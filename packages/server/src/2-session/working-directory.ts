import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { accepted, rejected, type Result } from "@turnwire/protocol";
import { isInside } from "../1-runtime/path-inside.ts";

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

/** The real path of a directory; undefined where it is none, or cannot be reached. */
export async function realDirectory(path: string): Promise<string | undefined> {
  const opened = await openDirectory(path);
  return opened.ok ? opened.value : undefined;
}

/** The real path of a directory that can be listed, or why there is none. */
export async function openDirectory(path: string): Promise<Result<string>> {
  if (path.includes("\0") || !isAbsolute(path)) {
    return rejected("invalid_request", "The path must be absolute, or begin with ~.");
  }
  try {
    const real = await realpath(path);
    if (!(await stat(real)).isDirectory()) {
      return rejected("invalid_request", `${path} is a file: choose a directory.`);
    }
    await access(real, constants.R_OK | constants.X_OK);
    return accepted(real);
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    switch (error.code) {
      case "ENOENT":
        return rejected("not_found", `There is no directory ${path}.`);
      case "EACCES":
      case "EPERM":
        return rejected("forbidden", `You have no permission to open ${path}.`);
      default:
        return rejected("invalid_request", `${path} cannot be opened (${String(error.code)}).`);
    }
  }
}
