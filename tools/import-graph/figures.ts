import { exportedNames } from "./exported-names.ts";
import { fileCounts, folderCycles, folderImports } from "./folder-graph.ts";
import { isAgainstOrder } from "./folder-order.ts";
import { sourceFolderOf, type SourceText } from "./source-file.ts";

/** What the imports of a package amount to. */
export interface PackageFigures {
  readonly files: number;
  readonly lines: number;
  readonly folders: number;
  readonly largest: { readonly folder: string; readonly files: number };
  /** Groups of folders that import each other in circles, by values alone and with types. */
  readonly cycles: readonly string[][];
  readonly typeCycles: readonly string[][];
  /** Imports against the order of folders. */
  readonly against: readonly string[];
  /** The names that its root entry exports. */
  readonly exported: number;
}

export function figuresOf(files: readonly SourceText[]): PackageFigures {
  const counts = fileCounts(files);
  const imports = folderImports(files);
  const [folder, largest] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [".", 0];
  const entry = `${sourceFolderOf(files[0]?.path ?? "")}/index.ts`;
  return {
    files: files.length,
    lines: files.reduce((sum, { text }) => sum + text.split("\n").length - 1, 0),
    folders: counts.size,
    largest: { folder, files: largest },
    cycles: folderCycles(imports.filter(({ isType }) => !isType)),
    typeCycles: folderCycles(imports),
    against: imports
      .filter(({ path, specifier }) => isAgainstOrder(path, specifier))
      .map(({ path, specifier }) => `${path} imports ${specifier}`),
    exported: exportedNames(entry, files).size,
  };
}
