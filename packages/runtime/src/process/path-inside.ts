import { isAbsolute, relative, sep } from "node:path";

/** Whether a real path is the directory or below it. */
export function isInside(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}
