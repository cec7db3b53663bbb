import { constants } from "node:fs";
import { access, realpath, stat } from "node:fs/promises";
import { isAbsolute } from "node:path";
import { accepted, rejected, type Result } from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";

/** The real path of a directory that can be listed, or why there is none. */
export async function openDirectory(path: string): Promise<Result<string>> {
  if (path.includes("\0") || !isAbsolute(path)) {
    return rejected("invalid_request", "The path of a directory must be absolute.");
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
    return rejection(path, String(error.code));
  }
}

function rejection(path: string, code: string): ReturnType<typeof rejected> {
  switch (code) {
    case "ENOENT":
      return rejected("not_found", `There is no directory ${path}.`);
    case "EACCES":
    case "EPERM":
      return rejected("forbidden", `Turnwire has no permission to open ${path}.`);
    case "ENOTDIR":
      return rejected("invalid_request", `${path} leads through a file: choose a directory.`);
    case "ELOOP":
      return rejected("invalid_request", `${path} is a link that leads to itself.`);
    default:
      return rejected("invalid_request", `${path} cannot be opened (${code}).`);
  }
}

/** The real path of a directory; undefined where it is none, or cannot be reached. */
export async function realDirectory(path: string): Promise<string | undefined> {
  const opened = await openDirectory(path);
  return opened.ok ? opened.value : undefined;
}

/** The real paths of those that are directories now. */
export async function realDirectories(paths: readonly string[]): Promise<readonly string[]> {
  const real = await Promise.all(paths.map(realDirectory));
  return real.filter((path) => path !== undefined);
}

export function isInsideAny(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => isInside(path, root));
}
