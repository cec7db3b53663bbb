import { dirname, join } from "node:path/posix";
import type { SourceText } from "./source-file.ts";

const declaration =
  /^export\s+(?:declare\s+)?(?:abstract\s+)?(?:async\s+)?(?:class|const|function\*?|interface|let|type|enum)\s+([\w$]+)/gm;
const list = /^export\s+(?:type\s+)?\{([^}]*)\}/gm;
const all = /^export\s+(?:type\s+)?\*\s+from\s+"([^"]+)"/gm;
const namespace = /^export\s+\*\s+as\s+([\w$]+)/gm;

/** The names that a module exports, with those of the files of its package that it exports whole. */
export function exportedNames(entry: string, files: readonly SourceText[]): Set<string> {
  const text = files.find(({ path }) => path === entry)?.text ?? "";
  const names = new Set<string>();
  for (const pattern of [declaration, namespace]) {
    for (const [, name = ""] of text.matchAll(pattern)) names.add(name);
  }
  for (const [, items = ""] of text.matchAll(list)) {
    for (const item of items.split(",")) {
      const name = item.trim().split(/\s+/).at(-1);
      if (name) names.add(name);
    }
  }
  for (const [, specifier = ""] of text.matchAll(all)) {
    if (!specifier.startsWith(".")) continue;
    for (const name of exportedNames(join(dirname(entry), specifier), files)) names.add(name);
  }
  return names;
}
