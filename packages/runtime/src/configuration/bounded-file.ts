import { constants } from "node:fs";
import { lstat, open, readdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { isInside } from "../process/path-inside.ts";

/** What became of a file that was to be read. */
export type ReadFile =
  | { readonly type: "text"; readonly bytes: Buffer }
  | { readonly type: "missing" }
  /** Its real path is outside, so it was not opened. */
  | { readonly type: "outside"; readonly target: string }
  /** There is something, but it was not read. */
  | { readonly type: "unread"; readonly reason: string };

/** Reads a regular file whose real path is inside `boundary`. Links, pipes and changes meanwhile lead nowhere else. */
export async function readInside(
  path: string,
  boundary: string,
  maxBytes: number,
): Promise<ReadFile> {
  try {
    const real = await realpath(path);
    if (!isInside(real, boundary)) return { type: "outside", target: real };
    // Neither a link that was put there meanwhile nor a pipe without a writer.
    const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
    const file = await open(real, flags);
    try {
      const stats = await file.stat();
      if (!stats.isFile()) return { type: "unread", reason: "not a regular file" };
      if (stats.size > maxBytes) return { type: "unread", reason: tooLarge(maxBytes) };
      const bytes = Buffer.alloc(stats.size + 1);
      const length = await fill(file, bytes);
      if (length > stats.size) return { type: "unread", reason: "changes while it is read" };
      return { type: "text", bytes: bytes.subarray(0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return whyUnread(path, error);
  }
}

type FileHandle = Awaited<ReturnType<typeof open>>;

async function fill(file: FileHandle, bytes: Buffer): Promise<number> {
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length, null);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length;
}

async function whyUnread(path: string, cause: unknown): Promise<ReadFile> {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : undefined;
  if (code === undefined) throw cause;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  if (!isMissing) return { type: "unread", reason: `cannot be read (${code})` };
  const isDangling = await lstat(path).then(
    (stats) => stats.isSymbolicLink(),
    () => false,
  );
  return isDangling ? { type: "unread", reason: "a link to nothing" } : { type: "missing" };
}

function tooLarge(maxBytes: number): string {
  return `larger than ${Math.round(maxBytes / 1024)} KiB`;
}

/** The files below a directory by their paths inside it, or why they cannot be listed. */
export interface Listing {
  readonly paths: readonly string[];
  /** Why there may be more. */
  readonly problem?: string;
}

export interface ListingLimits {
  readonly boundary: string;
  readonly maxFiles: number;
  readonly maxDepth: number;
}

export async function listInside(directory: string, limits: ListingLimits): Promise<Listing> {
  const paths: string[] = [];
  const problems: string[] = [];
  const visit = async (inner: string, depth: number): Promise<void> => {
    const place = join(directory, inner);
    const real = await realpath(place).catch(() => undefined);
    if (real === undefined) return;
    if (!isInside(real, limits.boundary)) {
      problems.push(`${place} is a link to ${real}, outside the project`);
      return;
    }
    const entries = await readdir(real, { withFileTypes: true }).catch((error: unknown) => {
      const code = error instanceof Error && "code" in error ? String(error.code) : "unknown";
      if (code !== "ENOTDIR") problems.push(`${place} cannot be listed (${code})`);
      return [];
    });
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      if (paths.length >= limits.maxFiles) {
        problems.push(`${directory} has more than ${limits.maxFiles} files`);
        return;
      }
      const path = join(inner, entry.name);
      const isDirectory =
        entry.isDirectory() || (entry.isSymbolicLink() && (await isLinkToDirectory(place, entry)));
      if (!isDirectory) paths.push(path);
      else if (depth < limits.maxDepth) await visit(path, depth + 1);
      else problems.push(`${join(place, entry.name)} is nested too deeply`);
    }
  };
  await visit("", 1);
  const [problem] = problems;
  return problem === undefined ? { paths } : { paths, problem };
}

async function isLinkToDirectory(place: string, { name }: { name: string }): Promise<boolean> {
  const real = await realpath(join(place, name)).catch(() => undefined);
  if (real === undefined) return false;
  return lstat(real).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}
