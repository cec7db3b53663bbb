import { dirname } from "node:path/posix";
import { importedPath, importsOf, sourceFolderOf, type SourceText } from "./source-file.ts";

/** One folder imports another of its package; `.` is the folder of all sources. */
export interface FolderImport {
  readonly from: string;
  readonly to: string;
  /** The files that import, and what. */
  readonly path: string;
  readonly specifier: string;
  readonly isType: boolean;
}

/** `packages/server/src/2-session/decide/settle.ts` → `2-session/decide`. */
export function folderOf(path: string): string {
  const folder = dirname(path).slice(sourceFolderOf(path).length + 1);
  return folder === "" ? "." : folder;
}

/** How many files each folder holds itself. */
export function fileCounts(files: readonly SourceText[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { path } of files) {
    const folder = folderOf(path);
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return counts;
}

export function folderImports(files: readonly SourceText[]): FolderImport[] {
  return files.flatMap(({ path, text }) => {
    const from = folderOf(path);
    return importsOf(text).flatMap(({ specifier, isType }) => {
      const target = importedPath(path, specifier);
      if (target === undefined || !target.startsWith(`${sourceFolderOf(path)}/`)) return [];
      const to = folderOf(target);
      return to === from ? [] : [{ from, to, path, specifier, isType }];
    });
  });
}

/** Groups of folders each of which reaches every other: none where imports run one way. */
export function folderCycles(imports: readonly FolderImport[]): string[][] {
  const next = new Map<string, Set<string>>();
  for (const { from, to } of imports) {
    next.set(from, (next.get(from) ?? new Set()).add(to));
  }
  const reached = new Map([...next.keys()].map((folder) => [folder, reachable(folder, next)]));
  const groups = new Map<string, string[]>();
  for (const [folder, others] of reached) {
    if (!others.has(folder)) continue;
    const group = [...others].filter((other) => reached.get(other)?.has(folder)).toSorted();
    groups.set(group.join(" "), group);
  }
  return [...groups.values()];
}

function reachable(start: string, next: ReadonlyMap<string, ReadonlySet<string>>): Set<string> {
  const reached = new Set<string>();
  const waiting = [start];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const other of next.get(folder) ?? []) {
      if (reached.has(other)) continue;
      reached.add(other);
      waiting.push(other);
    }
  }
  return reached;
}
