import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { PathList } from "@turnwire/protocol";
import { isInsideAny, realDirectories, realDirectory } from "@turnwire/workspace";

type FoundPath = PathList["paths"][number];

/** How much of a tree one search looks at. */
const MAX_VISITED = 20_000;
const MAX_DEPTH = 16;

/** Huge, and not what a person looks for. */
const SKIPPED = new Set([".git", ".hg", ".svn", "node_modules", ".venv", "__pycache__"]);

/** The directories inside the roots that can complete a path typed so far. Links are not followed. */
export async function completeDirectory(
  roots: readonly string[],
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<FoundPath[]> {
  const fittingRoots = roots.filter((root) => root.startsWith(prefix)).map(directoryPath);
  if (!isAbsolute(prefix) || prefix.includes("\0")) return fittingRoots.slice(0, limit);
  const isWhole = prefix.endsWith("/");
  const parent = isWhole ? prefix : dirname(prefix);
  const start = isWhole ? "" : basename(prefix).toLowerCase();
  const directory = await realDirectory(parent);
  if (directory === undefined || !isInsideAny(directory, await realDirectories(roots))) {
    return fittingRoots.slice(0, limit);
  }
  const names = (await entriesOf(directory))
    .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    .map(({ name }) => name)
    .filter((name) => name.toLowerCase().startsWith(start))
    .filter((name) => start.startsWith(".") || !name.startsWith("."))
    .toSorted((left, right) => left.localeCompare(right));
  return names.slice(0, limit).map((name) => directoryPath(join(resolve(parent), name)));
}

/** Files and directories below a directory whose path has the typed text in it, best first. Links are not followed. */
export async function findFiles(
  directory: string,
  { prefix, limit }: { readonly prefix: string; readonly limit: number },
): Promise<FoundPath[]> {
  const wanted = prefix.toLowerCase();
  const found: FoundPath[] = [];
  let level = [""];
  let visited = 0;
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const place of level) {
      for (const entry of await entriesOf(join(directory, place))) {
        visited += 1;
        if (visited > MAX_VISITED) return best(found, wanted, limit);
        const path = place === "" ? entry.name : `${place}/${entry.name}`;
        if (entry.isDirectory() && !SKIPPED.has(entry.name)) {
          next.push(path);
          if (fits(path, wanted)) found.push({ path, kind: "directory" });
        } else if (entry.isFile() && fits(path, wanted)) found.push({ path, kind: "file" });
      }
    }
    level = next;
  }
  return best(found, wanted, limit);
}

function fits(path: string, wanted: string): boolean {
  return path.toLowerCase().includes(wanted);
}

/** A name that begins with what was typed is better than one that has it inside, and near is better than deep. */
function best(found: readonly FoundPath[], wanted: string, limit: number): FoundPath[] {
  const rank = ({ path }: FoundPath): number => {
    const lower = path.toLowerCase();
    if (lower.startsWith(wanted)) return 0;
    const name = lower.slice(lower.lastIndexOf("/") + 1);
    if (name.startsWith(wanted)) return 1;
    return name.includes(wanted) ? 2 : 3;
  };
  return found
    .map((path) => ({ path, rank: rank(path), depth: path.path.split("/").length }))
    .toSorted(
      (left, right) =>
        left.rank - right.rank ||
        left.depth - right.depth ||
        left.path.path.localeCompare(right.path.path),
    )
    .slice(0, limit)
    .map(({ path }) => path);
}

function directoryPath(path: string): FoundPath {
  return { path, kind: "directory" };
}

async function entriesOf(directory: string): Promise<Dirent[]> {
  try {
    return await readdir(directory, { withFileTypes: true });
  } catch (error) {
    // Gone, or not ours to read: there is nothing to offer in it.
    if (error instanceof Error && "code" in error) return [];
    throw error;
  }
}
