import { posix } from "node:path";
import {
  literalText,
  type Piece,
  type ShellWord,
  unknownWord,
  wordFromText,
} from "../../shell/shell-word.ts";
import { flowOf } from "../../shell/state.ts";
import { type Call, found, type Program, reads, readsTree } from "../call.ts";
import {
  leadsElsewhere,
  optionTable,
  parseCall,
  type ParsedCall,
  reportOptions,
} from "../option.ts";
import { hasOption } from "../reader.ts";

/** Options of all commands that show commits or differences, but for those that run or write something. */
export const showing =
  "p u s U: a b w z R B:attached M:attached C:attached D l: S: G: O:read i E F P n: L: c m g q # patch no-patch unified: raw stat:attached numstat shortstat dirstat:attached summary name-only name-status check full-index binary abbrev:attached no-abbrev abbrev-commit no-abbrev-commit oneline pretty:attached format: date: color:attached no-color color-words:attached color-moved:attached word-diff:attached word-diff-regex: graph no-graph decorate:attached no-decorate decorate-refs: all branches:attached tags:attached remotes:attached glob: author: committer: grep: all-match invert-grep regexp-ignore-case extended-regexp fixed-strings perl-regexp since: after: until: before: max-count: skip: max-age: min-age: merges no-merges first-parent no-walk:attached reverse follow full-history simplify-by-decoration simplify-merges ancestry-path:attached cherry cherry-pick left-right left-only right-only cherry-mark boundary topo-order date-order author-date-order parents children source no-show-signature relative-date encoding: notes:attached no-notes show-notes:attached walk-reflogs not cached staged merge-base no-index exit-code quiet no-ext-diff no-textconv ignore-all-space ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol ignore-matching-lines: function-context inter-hunk-context: minimal patience histogram anchored: diff-algorithm: indent-heuristic diff-filter: find-renames:attached find-copies:attached find-copies-harder no-renames irreversible-delete pickaxe-all pickaxe-regex relative:attached no-relative text ignore-submodules:attached submodule:attached src-prefix: dst-prefix: no-prefix line-prefix: ita-invisible-in-index compact-summary patch-with-stat patch-with-raw diff-merges: cc combined-all-paths base ours theirs rotate-to: skip-to: root always log-size clear-decorations since-as-filter: no-commit-id r t default: mailmap no-mailmap use-mailmap expand-tabs:attached no-expand-tabs";

const inspections: Readonly<Record<string, string>> = {
  "log show diff whatchanged diff-tree diff-index diff-files range-diff": showing,
  status:
    "s b u:attached z v short branch show-stash porcelain:attached long verbose untracked-files:attached ignore-submodules:attached ignored:attached column:attached no-column ahead-behind no-ahead-behind renames no-renames find-renames:attached",
  "blame annotate":
    "l s t b w L: S:read M:attached C:attached p f n e c root show-stats reverse: porcelain line-porcelain incremental encoding: date: progress no-progress abbrev: show-name show-number show-email score-debug ignore-rev: ignore-revs-file:read color-lines color-by-age",
  "ls-files":
    "c d m o i s u k t v f z x: X:read cached deleted modified others ignored stage unmerged killed directory no-empty-directory eol exclude: exclude-from:read exclude-per-directory: exclude-standard error-unmatch full-name recurse-submodules abbrev:attached deduplicate format: with-tree:",
  "ls-tree":
    "d r t l z long name-only name-status full-name full-tree abbrev:attached object-only format:",
  "rev-parse":
    "q verify quiet sq short:attached symbolic symbolic-full-name abbrev-ref:attached all branches:attached tags:attached remotes:attached glob: show-toplevel show-prefix show-cdup git-dir absolute-git-dir git-common-dir is-inside-work-tree is-inside-git-dir is-bare-repository is-shallow-repository show-superproject-working-tree git-path: default: not since: until: revs-only no-revs flags no-flags show-object-format show-ref-format path-format:",
  "rev-list": `${showing} count objects disk-usage:attached use-bitmap-index header timestamp`,
  describe:
    "all tags contains abbrev: candidates: exact-match debug long match: exclude: always first-parent dirty:attached broken:attached",
  shortlog:
    "s n e c w:attached numbered summary email group: all since: until: no-merges format: author:",
  "cat-file": "t s p e batch:attached batch-check:attached allow-unknown-type",
  "for-each-ref":
    "s p q count: sort: format: color:attached points-at: merged:attached no-merged:attached contains:attached no-contains:attached ignore-case exclude: shell",
  "show-ref":
    "q d s verify heads branches tags hash:attached abbrev:attached dereference head exclude-existing:attached",
  "show-branch":
    "r a all remotes list topo-order date-order sparse more: merge-base independent topics",
  "merge-base": "a all octopus independent is-ancestor fork-point",
  "name-rev": "tags refs: exclude: all name-only no-undefined always",
  "count-objects": "v H verbose human-readable",
  "check-ignore": "q v z n quiet verbose non-matching no-index",
  "check-attr": "a z all cached",
  cherry: "v abbrev:attached",
  "ls-remote": "",
  version: "build-options",
  "diff-pairs patch-id": "stable unstable verbatim",
  "get-tar-commit-id stripspace": "s strip-comments",
  grep: "a I i w v h H E G P F n l L c o p W q e: f:read A: B: C: m: text ignore-case word-regexp invert-match full-name extended-regexp basic-regexp perl-regexp fixed-strings line-number column files-with-matches name-only files-without-match count only-matching color:attached no-color break heading show-function function-context after-context: before-context: context: max-count: max-depth: threads: and or not all-match quiet cached no-index untracked no-exclude-standard exclude-standard recurse-submodules no-recursive recursive no-textconv # null z",
};

/** Commands that print only names and numbers, or nothing of what files hold. */
const printsNoContent =
  /^git (?:status|ls-files|ls-tree|rev-parse|rev-list|describe|shortlog|for-each-ref|show-ref|show-branch|merge-base|name-rev|count-objects|check-ignore|check-attr|cherry|version|ls-remote|branch|tag)$/;

/**
 * An operand may be a path, a revision, or a file of one (`HEAD:.env`): whatever it may name is read.
 * `git diff` compares any two files where one of them is outside the repository.
 */
function checkOperands(call: Call, parsed: ParsedCall): void {
  const { operands } = parsed;
  if (printsNoContent.test(call.name)) {
    for (const operand of operands) if (leadsElsewhere(operand)) reads(call, operand);
  } else {
    for (const operand of operands.slice(searches(call, parsed) ? 1 : 0))
      readsOperand(call, operand);
  }
  for (const { name, value } of parsed.options) {
    // The lines of a file: `-L1,9:.env`.
    if (name === "L" && value) readsOperand(call, lastPart(value));
  }
  if (call.name === "git grep") checkGrep(call, parsed);
  if (call.name === "git cat-file") checkObject(call, parsed);
  if (call.name === "git ls-remote") found(call, "git_remote", "asks a remote repository");
}

/** True if the first operand is the pattern. */
function searches({ name }: Call, parsed: ParsedCall): boolean {
  return name === "git grep" && !hasOption(parsed, "e", "f");
}

function lastPart(word: ShellWord): ShellWord {
  const text = literalText(word);
  return text === undefined ? word : wordFromText(text.slice(text.lastIndexOf(":") + 1));
}

function readsOperand(call: Call, operand: ShellWord): void {
  const text = literalText(operand);
  const [, magic, path = ""] = /^:(\(.*\)|[/!^]+)(.*)$/s.exec(text ?? "") ?? [];
  if (text === undefined) reads(call, operand);
  else if (magic !== undefined) {
    if (!/^[!^]+$/.test(magic)) reads(call, magic === "/" ? pathspec(path) : unknownWord());
  } else reads(call, pathspec(text.replace(/^[^:]*:(?:[0-3]:)?/, "") || "."));
}

/** Git looks for globs in paths itself, and they find names with a dot too. */
function pathspec(text: string): ShellWord {
  const pieces = text
    .split(/(\*+|\?|\[[^\]]*\])/)
    .map((part): Piece =>
      /^[*?[]/.test(part)
        ? { type: "glob", part: part.startsWith("*") ? "many" : "one", canStartWithDot: true }
        : { type: "text", text: part },
    );
  return { pieces };
}

/** Reads all files below its places, and those of a revision whatever is there now. */
function checkGrep(call: Call, parsed: ParsedCall): void {
  const operands = parsed.operands.slice(searches(call, parsed) ? 1 : 0);
  for (const operand of operands) readsTree(call, operand);
  if (operands.length === 0) readsTree(call, wordFromText("."));
  const { cwds = [] } = call.state;
  const { realPath } = call.walk.facts;
  const isFile = (word: ShellWord): boolean =>
    cwds.every((cwd) => realPath(posix.resolve(cwd, literalText(word) ?? "")) !== undefined);
  const separator = call.args.findIndex((word) => literalText(word) === "--");
  const revisions =
    separator < 0 ? operands : operands.filter((word) => call.args.indexOf(word) < separator);
  if (hasOption(parsed, "cached") || !revisions.every(isFile)) {
    found(call, "secret", "what was committed once may hold secrets");
  }
}

/** By its digest any file is the same. */
function checkObject(call: Call, parsed: ParsedCall): void {
  const isDigest = parsed.operands.some((word) => /^[0-9a-f]{4,}$/i.test(literalText(word) ?? ""));
  if (hasOption(parsed, "batch") || (isDigest && !hasOption(parsed, "t", "s", "e"))) {
    found(call, "secret", "which file it prints is not known");
  }
}

const lists = new Set(["git ls-files", "git ls-tree"]);

function printsPaths({ name }: Call, parsed: ParsedCall): boolean {
  if (lists.has(name))
    return !hasOption(parsed, "s", "stage", "t", "v", "eol", "format", "l", "long");
  if (name === "git grep") return hasOption(parsed, "l", "files-with-matches", "name-only");
  return name === "git diff" && hasOption(parsed, "name-only");
}

export function inspection(options: string): Program {
  const table = optionTable(options);
  return (call) => {
    const parsed = parseCall(call.args, table);
    reportOptions(call, parsed, table);
    checkOperands(call, parsed);
    found(call, "inspect", `${call.name} only reads`);
    return printsPaths(call, parsed) ? { ...flowOf(call.state), places: ["."] } : undefined;
  };
}

export const inspectCommands: ReadonlyMap<string, Program> = new Map(
  Object.entries(inspections).flatMap(([names, options]) => {
    const program = inspection(options);
    return names.split(" ").map((name): [string, Program] => [name, program]);
  }),
);

/** Whether a word is the literal text; for subcommands of subcommands. */
export function isWord(call: Call, index: number, ...texts: readonly string[]): boolean {
  const text = literalText(call.args[index]);
  return text !== undefined && texts.includes(text);
}
