import { constants } from "node:fs";
import { copyFile, lstat, mkdir, readdir, realpath } from "node:fs/promises";
import { dirname, isAbsolute, join, normalize } from "node:path";
import { accepted, type Result } from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";
import { worktreeFailed } from "./failure.ts";

const MAX_FILES = 1000;

export interface CopyPlaces {
  /** Real paths. */
  readonly from: string;
  readonly to: string;
}

/** Copies the files that fit the patterns. What is there already stays, links lead nowhere outside. */
export async function copyFiles(
  patterns: readonly string[],
  { from, to }: CopyPlaces,
): Promise<Result<void>> {
  for (const pattern of patterns) {
    const parts = normalize(pattern).split("/");
    if (isAbsolute(pattern) || parts.includes("..") || parts.includes(".git")) {
      return copyFailed(`${pattern} is not a path inside the repository`);
    }
    const paths = await matching(from, parts);
    if (paths.length > MAX_FILES) return copyFailed(`${pattern} fits more than ${MAX_FILES} files`);
    for (const path of paths) {
      const problem = await copyOne(path, { from, to });
      if (problem !== undefined) return copyFailed(problem);
    }
  }
  return accepted(undefined);
}

/** The files below a directory that fit, by their paths inside it. */
async function matching(root: string, parts: readonly string[], above = ""): Promise<string[]> {
  const [part, ...rest] = parts;
  if (part === undefined) return [];
  const fits = new RegExp(
    `^${part
      .split("*")
      .map((text) => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*")}$`,
    "s",
  );
  const entries = await readdir(join(root, above), { withFileTypes: true }).catch(() => []);
  const found = entries
    .filter(({ name }) => name !== ".git" && fits.test(name))
    .toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const paths: string[] = [];
  for (const entry of found) {
    const path = join(above, entry.name);
    if (rest.length > 0) paths.push(...(await matching(root, rest, path)));
    else if (!entry.isDirectory()) paths.push(path);
  }
  return paths;
}

/** Why it could not be copied; undefined where it was, or was there already. */
async function copyOne(path: string, { from, to }: CopyPlaces): Promise<string | undefined> {
  try {
    const source = await realpath(join(from, path));
    if (!isInside(source, from)) return `${path} is a link that leads out of the repository`;
    if (!(await lstat(source)).isFile()) return `${path} is not a file`;
    const target = join(to, path);
    const place = await placeFor(dirname(target), to);
    if (place === undefined) return `${path} would be written outside of the worktree`;
    await copyFile(source, target, constants.COPYFILE_EXCL);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error) || !("code" in error)) throw error;
    return error.code === "EEXIST" ? undefined : `${path} cannot be copied (${String(error.code)})`;
  }
}

/** Makes the directory; undefined where a link on the way leads out of the worktree. */
async function placeFor(directory: string, boundary: string): Promise<string | undefined> {
  if (!isInside(directory, boundary)) return undefined;
  if (directory !== boundary) {
    const above = await placeFor(dirname(directory), boundary);
    if (above === undefined) return undefined;
    await mkdir(directory).catch((error: unknown) => {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    });
  }
  const real = await realpath(directory);
  return isInside(real, boundary) ? real : undefined;
}

function copyFailed(problem: string): ReturnType<typeof worktreeFailed> {
  return worktreeFailed(
    "copy_failed",
    `The worktree was not made, because its files could not be copied: ${problem}.`,
  );
}
