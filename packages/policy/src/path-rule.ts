import type { PathTarget } from "./action.ts";
import { isInside } from "./location.ts";
import type { PathRule } from "./mode.ts";
import { type NamePattern, writtenPattern } from "./name-pattern.ts";

interface Place {
  readonly roots: readonly string[];
  readonly home?: string | undefined;
}

/** As file systems that ignore case and forms of writing see it. */
function folded(path: string): string {
  return /^[ -~]*$/.test(path) ? path.toLowerCase() : path.normalize("NFKC").toLowerCase();
}

/** Whether a path is one that the rule is about. */
export function fitsPath(rule: PathRule, target: PathTarget, place: Place): boolean {
  return (
    rule.paths.some((pattern) => fitsPattern(pattern, target, place)) && !isExcepted(rule, target)
  );
}

function isExcepted({ except }: PathRule, { path }: PathTarget): boolean {
  const name = folded(path.slice(path.lastIndexOf("/") + 1));
  return except.some((pattern) => writtenPattern(pattern).test(name));
}

function fitsPattern(pattern: string, target: PathTarget, place: Place): boolean {
  if (pattern.startsWith("/")) return fitsAbsolute(pattern, target, place);
  if (pattern.startsWith("~/")) {
    return place.home !== undefined && fitsAbsolute(place.home + pattern.slice(1), target, place);
  }
  return fitsNames(pattern, target, place);
}

function fitsAbsolute(pattern: string, target: PathTarget, { roots }: Place): boolean {
  const directory = folded(pattern.replace(/\/+$/, "") || "/");
  const path = folded(target.path);
  const root = roots.map(folded).find((candidate) => isInside(path, candidate));
  // A root below the directory is where agents may work all the same.
  if (root !== undefined && isInside(root, directory)) return false;
  if (!target.globs && target.isTree !== true) {
    return pattern.endsWith("/") ? isInside(path, directory) : path === directory;
  }
  const wanted = directory.split("/").filter((name) => name !== "");
  const names = path.split("/").filter((name) => name !== "");
  const shared = Math.min(wanted.length, names.length);
  for (let index = 0; index < shared; index += 1) {
    const glob = target.globs?.get(index);
    const name = wanted[index] ?? "";
    if (glob ? !glob.test(name) : names[index] !== name) return false;
  }
  if (names.length < wanted.length) return target.isTree === true;
  return names.length === wanted.length || pattern.endsWith("/");
}

function fitsNames(pattern: string, target: PathTarget, { roots }: Place): boolean {
  const isDirectory = pattern.endsWith("/");
  const wanted = pattern.split("/").filter((name) => name !== "");
  const names = target.path.split("/").slice(1);
  const root = roots.find((candidate) => isInside(target.path, candidate));
  const start = root === undefined || root === "/" ? 0 : root.split("/").length - 1;
  for (let at = start; at + wanted.length <= names.length; at += 1) {
    const isWhole = isDirectory || at + wanted.length === names.length;
    if (!isWhole) continue;
    const fits = wanted.every((name, index) =>
      fitsName(name, names[at + index] ?? "", target.globs?.get(at + index)),
    );
    if (fits) return true;
  }
  return false;
}

function fitsName(wanted: string, name: string, glob: NamePattern | undefined): boolean {
  // A glob that fits every name does not mean this one; names with a dot it must spell out.
  if (glob)
    return (
      glob.test(wanted.replaceAll("*", "x")) && (wanted.startsWith(".") || !glob.test("\u0000"))
    );
  // Some file systems drop dots and blanks at the end of a name.
  return writtenPattern(wanted).test(folded(name).replace(/[. ]+$/, "") || name);
}
