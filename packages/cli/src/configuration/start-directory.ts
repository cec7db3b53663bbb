import { existsSync, realpathSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export interface StartPlace {
  readonly cwd: string;
  readonly home: string;
  readonly dataDirectory: string;
  /** The clone that this program runs from; undefined where it is installed as a package. */
  readonly clone?: string | undefined;
}

/**
 * The directory that a server was started in on purpose: a project from the beginning. A home
 * directory, the file system's root, Turnwire's own data and Turnwire's own clone are where
 * people and services start a program from without meaning to work there.
 */
export function startDirectoryFrom(place: StartPlace): string | undefined {
  const cwd = realPath(place.cwd);
  const { clone } = place;
  const isAccidental =
    cwd === dirname(cwd) ||
    isInside(realPath(place.home), cwd) ||
    isInside(cwd, realPath(place.dataDirectory)) ||
    (clone !== undefined && isInside(cwd, realPath(clone)));
  return isAccidental ? undefined : cwd;
}

/** The clone that a file of this package belongs to. */
export function findClone(file: string = import.meta.dirname): string | undefined {
  const path = realPath(file);
  if (path.split(sep).includes("node_modules") || path === dirname(path)) return undefined;
  return existsSync(join(path, "package.json")) ? join(path, "..", "..") : findClone(dirname(path));
}

function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`));
}

/** As given where it does not exist yet. */
function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error) return path;
    throw error;
  }
}
