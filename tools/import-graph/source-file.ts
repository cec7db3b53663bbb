import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { dirname as folderOf, join as joinPosix } from "node:path/posix";
import { fileURLToPath } from "node:url";

/** A source file as the rules see it; the path begins at the root of the repository. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

export interface Import {
  readonly specifier: string;
  /** Nothing of it is left when the program runs. */
  readonly isType: boolean;
}

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

const statement = /(?:^|\n)\s*(?:import|export)\s+(?:(type)\s+)?([^;'"`]*?)\s*\bfrom\s+"([^"]+)"/g;
const bare = /(?:^|\n)\s*@?import\s+"([^"]+)"/g;
const call = /(typeof\s+)?\bimport\(\s*"([^"]+)"\s*\)(\.[A-Z])?/g;

/** What a file imports or exports from others; of a style sheet, its imports. */
export function importsOf(text: string): Import[] {
  return [
    ...Array.from(text.matchAll(statement), ([, type, names = "", specifier = ""]) => {
      return { specifier, isType: type !== undefined || namesOnlyTypes(names) };
    }),
    ...Array.from(text.matchAll(bare), ([, specifier = ""]) => {
      return { specifier, isType: false };
    }),
    ...Array.from(text.matchAll(call), ([, type, specifier = "", member]) => {
      return { specifier, isType: type !== undefined || member !== undefined };
    }),
  ];
}

/** `{ type A, type B }`. */
function namesOnlyTypes(names: string): boolean {
  const [, list] = /^\{([^}]*)\}$/.exec(names) ?? [];
  const parts = list?.split(",").map((part) => part.trim());
  return parts?.every((part) => part === "" || part.startsWith("type ")) === true;
}

/** The file of the same package that an import names; undefined for another package. */
export function importedPath(path: string, specifier: string): string | undefined {
  return specifier.startsWith(".") ? joinPosix(folderOf(path), specifier) : undefined;
}

/** `packages/log/src/x.ts` → `packages/log/src`. */
export function sourceFolderOf(path: string): string {
  return path.split("/").slice(0, 3).join("/");
}

export function isTest(path: string): boolean {
  return /\.test\.tsx?$/.test(path) || path.includes("/test-support/");
}

/** The source files of all packages and applications by the name of their folder, without their tests. */
export function packageSources(): Map<string, SourceText[]> {
  const names = ["packages", "apps"].flatMap((parent) =>
    readdirSync(join(root, parent))
      .toSorted()
      .map((name) => [name, `${parent}/${name}/src`] as const),
  );
  return new Map(names.map(([name, folder]) => [name, sourcesIn(folder)]));
}

function sourcesIn(folder: string): SourceText[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name.replaceAll("\\", "/")}`)
    .filter((path) => /\.(tsx?|svelte)$/.test(path) && !isTest(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
