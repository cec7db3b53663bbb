import { posix } from "node:path";
import type { Facts } from "./facts.ts";
import type { PathTarget } from "./action.ts";
import { LimitReached } from "./limit-reached.ts";
import { type NamePart, NamePattern } from "./name-pattern.ts";
import { type ShellWord, literalText, originOf } from "./shell/shell-word.ts";

const maxPathLength = 2_048;

/** The facts, with the real paths of places that the caller named by a link. */
export interface LocationFacts extends Facts {
  readonly aliases?: readonly (readonly [written: string, real: string])[];
}

/** The real path of an absolute path, also where its last names do not exist yet; throws where it cannot be known. */
export function resolveReal(path: string, realPath: Facts["realPath"]): string {
  if (path.length > maxPathLength) throw new RangeError("the path is too long");
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  if (!names.includes("..")) return resolveDown(`/${names.join("/")}`, realPath);
  // As the kernel does it: `..` is the parent of where a link leads, not of the link.
  let current = "/";
  for (const name of names) {
    current =
      name === ".." ? posix.dirname(current) : resolveDown(posix.join(current, name), realPath);
  }
  return current;
}

function resolveDown(path: string, realPath: Facts["realPath"]): string {
  let existing = path;
  for (;;) {
    const real = realPath(existing);
    if (real !== undefined) return posix.join(real, path.slice(existing.length));
    if (existing === "/") return path;
    existing = posix.dirname(existing);
  }
}

export function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root === "/" ? "/" : `${root}/`);
}

/** The absolute paths that a path may mean. */
export function absolutePaths(path: string, cwds: readonly string[] | undefined) {
  if (path.startsWith("/")) return [path];
  return cwds?.map((cwd) => `${cwd}/${path}`);
}

/** Where a word leads as a path; undefined where that is not known before it runs. */
export function targetsOf(
  word: ShellWord,
  cwds: readonly string[] | undefined,
  facts: LocationFacts,
): readonly PathTarget[] | undefined {
  const text = literalText(word);
  if (text !== undefined) {
    return absolutePaths(text, cwds)?.map((path) => targetOf(path, facts));
  }
  if (originOf(word) === "number") return targetsOf({ pieces: [] }, cwds, facts);
  if (word.pieces.some(({ type }) => type === "unknown")) return undefined;
  return globTargets(word, cwds, facts);
}

function targetOf(path: string, { realPath, aliases = [] }: LocationFacts): PathTarget {
  try {
    const real = resolveReal(path, realPath);
    const written = posix.normalize(path).replace(/(?<=.)\/$/, "");
    const alias = aliases.find(([name]) => isInside(written, name));
    const direct = alias ? posix.join(alias[1], written.slice(alias[0].length)) : written;
    return { path: real, ...(direct !== real && { isThroughLink: true }) };
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    return { path: posix.normalize(path.slice(0, maxPathLength)), isUnresolved: true };
  }
}

interface PathComponent {
  readonly parts: NamePart[];
  isGlob: boolean;
  hidesDots: boolean;
}

function componentsOf({ pieces }: ShellWord): readonly PathComponent[] {
  const components: PathComponent[] = [];
  const open = (): PathComponent => {
    const component = { parts: [], isGlob: false, hidesDots: false };
    components.push(component);
    return component;
  };
  let last = open();
  for (const piece of pieces) {
    if (piece.type === "glob") {
      if (nameOf(last) === "") last.hidesDots = !piece.canStartWithDot;
      last.isGlob = true;
      last.parts.push(piece.part);
    } else if (piece.type === "text") {
      for (const [index, text] of piece.text.split("/").entries()) {
        if (index > 0) last = open();
        last.parts.push({ text });
      }
    }
  }
  return components;
}

function nameOf({ parts }: PathComponent): string {
  return parts.map((part) => (typeof part === "string" ? "*" : part.text)).join("");
}

/** Its names before the first glob are resolved; the others are as written, some of them patterns. */
function globTargets(
  word: ShellWord,
  cwds: readonly string[] | undefined,
  facts: LocationFacts,
): readonly PathTarget[] | undefined {
  const components = componentsOf(word);
  const first = components.findIndex(({ isGlob }) => isGlob);
  const before = components.slice(0, first).map(nameOf);
  const start = before.length === 1 && before[0] === "" ? "/" : before.join("/");
  const after = components.slice(first).filter((component) => nameOf(component) !== "");
  const patterns = after.map(({ isGlob, parts, hidesDots }) =>
    isGlob ? new NamePattern(parts, { hidesDots }) : undefined,
  );
  // `x*/../y` and globs that may become `..` can lead anywhere.
  const isFree = after.some((component, index) =>
    patterns[index] ? patterns[index].test("..") : /^\.\.?$/.test(nameOf(component)),
  );
  if (isFree) return undefined;
  const names = after.map(nameOf);
  const targets = absolutePaths(start === "" ? "." : start, cwds)?.map((path) => {
    const base = targetOf(path, facts);
    const depth = base.path === "/" ? 0 : base.path.split("/").length - 1;
    const globs = new Map(
      patterns.flatMap((pattern, index) => (pattern ? [[depth + index, pattern] as const] : [])),
    );
    const found = foundBelow(base.path, { names, patterns }, facts);
    return found && { ...base, path: posix.join(base.path, ...names), globs, found };
  });
  return targets?.every((target) => target !== undefined) === true ? targets : undefined;
}

const maxFound = 500;

interface GlobNames {
  readonly names: readonly string[];
  readonly patterns: readonly (NamePattern | undefined)[];
}

/** The paths that a glob finds below a directory now, with links resolved; undefined where that is not known. */
function foundBelow(
  base: string,
  { names, patterns }: GlobNames,
  facts: LocationFacts,
): readonly PathTarget[] | undefined {
  let places: readonly PathTarget[] = [{ path: base }];
  for (const [index, name] of names.entries()) {
    const pattern = patterns[index];
    const next: PathTarget[] = [];
    for (const { path, isThroughLink = false } of places) {
      const matches = pattern
        ? matchesIn(path, pattern, facts)
        : [targetOf(posix.join(path, name), facts)];
      if (!matches) return undefined;
      next.push(...matches.map((match) => (isThroughLink ? { ...match, isThroughLink } : match)));
      if (next.length > maxFound) return undefined;
    }
    places = next;
  }
  return places;
}

function matchesIn(
  place: string,
  pattern: NamePattern,
  facts: LocationFacts,
): readonly PathTarget[] | undefined {
  try {
    const list = facts.entries ? (facts.entries(place) ?? []) : undefined;
    return list?.flatMap(({ name, type }): PathTarget[] => {
      if (!pattern.test(name)) return [];
      const path = posix.join(place, name);
      return [type === "link" ? targetOf(path, facts) : { path }];
    });
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    return undefined;
  }
}

/** The last name of a path, as a word that can be put after a directory. */
export function lastName(word: ShellWord): ShellWord | undefined {
  const text = literalText(word);
  if (text !== undefined) {
    const name = posix.basename(text);
    return { pieces: [{ type: "text", text: name }] };
  }
  const pieces = [];
  for (const piece of word.pieces.toReversed()) {
    if (piece.type === "text" && piece.text.includes("/")) {
      pieces.unshift({
        type: "text" as const,
        text: piece.text.slice(piece.text.lastIndexOf("/") + 1),
      });
      return { pieces };
    }
    if (piece.type === "unknown") return undefined;
    pieces.unshift(piece);
  }
  return { pieces };
}

export function joinWords(directory: ShellWord, name: ShellWord): ShellWord {
  return { pieces: [...directory.pieces, { type: "text", text: "/" }, ...name.pieces] };
}
