import { lstat, opendir, realpath, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { accepted, type DirectoryList, limits, rejected, type Result } from "@turnwire/protocol";

type Entry = DirectoryList["entries"][number];

interface Candidate {
  readonly name: string;
  readonly isLink: boolean;
}

/** How much of a directory is looked at: it may have millions of entries. */
const MAX_VISITED = 50_000;

/** The directories in a directory; of links only those whose target is visible. */
export async function listDirectory(
  path: string,
  isVisible: (real: string) => boolean,
): Promise<Result<DirectoryList>> {
  const found = await subdirectories(path);
  if (!found.ok) return found;
  const { directories, isCut } = found.value;
  const sorted = directories.toSorted(
    (left, right) =>
      Number(isHidden(left.name)) - Number(isHidden(right.name)) ||
      left.name.localeCompare(right.name),
  );
  const shown = sorted.slice(0, limits.directoryEntries);
  const entries = await Promise.all(shown.map((entry) => entryFrom(path, entry, isVisible)));
  const parent = dirname(path);
  return accepted({
    path,
    ...(parent !== path && isVisible(parent) && { parent }),
    entries: entries.filter((entry) => entry !== undefined),
    is_truncated: isCut || sorted.length > shown.length,
  });
}

async function subdirectories(
  path: string,
): Promise<Result<{ readonly directories: readonly Candidate[]; readonly isCut: boolean }>> {
  const directories: Candidate[] = [];
  let visited = 0;
  try {
    for await (const entry of await opendir(path, { bufferSize: 256 })) {
      visited += 1;
      if (visited > MAX_VISITED) return accepted({ directories, isCut: true });
      const isLink = entry.isSymbolicLink();
      if (isLink || entry.isDirectory()) directories.push({ name: entry.name, isLink });
    }
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return rejected("not_found", `${path} cannot be listed (${String(error.code)}).`);
  }
  return accepted({ directories, isCut: false });
}

async function entryFrom(
  parent: string,
  { name, isLink }: Candidate,
  isVisible: (real: string) => boolean,
): Promise<Entry | undefined> {
  const path = join(parent, name);
  const real = isLink ? await linkedDirectory(path) : path;
  if (real === undefined || !isVisible(real)) return undefined;
  return { name, path: real, is_git: await exists(join(real, ".git")), is_hidden: isHidden(name) };
}

async function linkedDirectory(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path);
    return (await stat(real)).isDirectory() ? real : undefined;
  } catch (error) {
    // It leads nowhere, in a circle, or to what we may not see.
    if (error instanceof Error && "code" in error) return undefined;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error) return false;
    throw error;
  }
}

function isHidden(name: string): boolean {
  return name.startsWith(".");
}
