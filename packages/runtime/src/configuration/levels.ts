import { lstat } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** A directory that may configure an agent, and how it is reached from the working directory. */
export interface Level {
  readonly directory: string;
  readonly isOwn: boolean;
  /** Whether it is in the same repository as the working directory, or is that itself. */
  readonly isInRepository: boolean;
  /** Whether it is the root of that repository. */
  readonly isRoot: boolean;
}

/** The working directory and those above it, nearest first; without the home, whose files are the person's own. */
export async function levelsFrom(directory: string, home = homedir()): Promise<Level[]> {
  const above = directoriesAbove(directory).filter(
    (place) => place === directory || place !== home,
  );
  const isRoot = await Promise.all(above.map((place) => exists(join(place, ".git"))));
  const root = isRoot.indexOf(true);
  return above.map((place, index) => ({
    directory: place,
    isOwn: index === 0,
    isInRepository: index === 0 || index <= root,
    isRoot: index === root,
  }));
}

function directoriesAbove(directory: string): string[] {
  const all = [directory];
  for (let place = directory; dirname(place) !== place; place = dirname(place)) {
    all.push(dirname(place));
  }
  return all;
}

export function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
