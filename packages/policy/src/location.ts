import { posix } from "node:path";
import type { Facts } from "./facts.ts";
import type { PathTarget } from "./action.ts";
import { LimitReached } from "./limit-reached.ts";
import { type ShellWord, literalText, originOf } from "./shell/shell-word.ts";

const maxPathLength = 2_048;

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
  facts: Facts,
): readonly PathTarget[] | undefined {
  const text = literalText(word);
  if (text !== undefined) {
    return absolutePaths(text, cwds)?.map((path) => targetOf(path, facts));
  }
  if (originOf(word) === "number") return targetsOf({ pieces: [] }, cwds, facts);
  if (word.pieces.some(({ type }) => type === "unknown")) return undefined;
  return globTargets(word, cwds, facts);
}

function targetOf(path: string, { realPath }: Facts): PathTarget {
  try {
    return { path: resolveReal(path, realPath) };
  } catch (error) {
    if (error instanceof LimitReached) throw error;
    return { path: posix.normalize(path.slice(0, maxPathLength)), isUnresolved: true };
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Its names before the first glob are resolved; the others are as written, some as regular expressions. */
function globTargets(
  word: ShellWord,
  cwds: readonly string[] | undefined,
  facts: Facts,
): readonly PathTarget[] | undefined {
  const components: { source: string; text: string; isGlob: boolean }[] = [
    { source: "", text: "", isGlob: false },
  ];
  for (const piece of word.pieces) {
    if (piece.type === "unknown") return undefined;
    if (piece.type === "glob") {
      const last = components.at(-1);
      if (!last) return undefined;
      last.source +=
        last.source === "" && !piece.canStartWithDot ? `(?!\\.)${piece.source}` : piece.source;
      last.isGlob = true;
      continue;
    }
    for (const [index, name] of piece.text.split("/").entries()) {
      if (index > 0) components.push({ source: "", text: "", isGlob: false });
      const last = components.at(-1);
      if (last) {
        last.source += escaped(name);
        last.text += name;
      }
    }
  }
  const first = components.findIndex(({ isGlob }) => isGlob);
  const before = components.slice(0, first).map(({ text }) => text);
  const start =
    before.length > 0 && before[0] === "" ? `/${before.slice(1).join("/")}` : before.join("/");
  const after = components.slice(first);
  // `x*/../y` and globs that may become `..` can lead anywhere.
  const isFree = after.some(
    ({ text, isGlob, source }) =>
      (!isGlob && (text === ".." || text === ".")) ||
      (isGlob && new RegExp(`^(?:${source})$`, "i").test("..")),
  );
  if (isFree) return undefined;
  return absolutePaths(start === "" ? "." : start, cwds)?.map((path) => {
    const base = targetOf(path, facts);
    const depth = base.path === "/" ? 0 : base.path.split("/").length - 1;
    const globs = new Map(
      after.flatMap(({ isGlob, source }, index) =>
        isGlob ? [[depth + index, new RegExp(`^(?:${source})$`, "i")] as const] : [],
      ),
    );
    const names = after.map(({ text, isGlob }) => (isGlob ? "*" : text));
    return { ...base, path: posix.join(base.path, ...names), globs };
  });
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
