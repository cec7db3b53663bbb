import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";

/** A directory that may configure an agent, and how it is reached from the working directory. */
export interface Level {
  readonly directory: string;
  readonly isOwn: boolean;
  /** Whether it is in the same repository as the working directory, or is that itself. */
  readonly isInRepository: boolean;
}

/** The working directory and those above it, nearest first. */
export async function levelsFrom(directory: string): Promise<Level[]> {
  const above = directoriesAbove(directory);
  const isRoot = await Promise.all(above.map((place) => exists(join(place, ".git"))));
  const root = isRoot.indexOf(true);
  return above.map((place, index) => ({
    directory: place,
    isOwn: index === 0,
    isInRepository: index === 0 || index <= root,
  }));
}

function directoriesAbove(directory: string): string[] {
  const all = [directory];
  for (let place = directory; dirname(place) !== place; place = dirname(place)) {
    all.push(dirname(place));
  }
  return all;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
