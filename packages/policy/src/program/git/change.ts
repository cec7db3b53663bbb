import type { ActionKind } from "../../action.ts";
import { posix } from "node:path";
import { fills } from "../../shell/path-report.ts";
import { knownStart, literalText, type ShellWord, wordFromText } from "../../shell/shell-word.ts";
import { type Call, found, type Program, reads, writes } from "../call.ts";
import { optionTable, parseCall, type ParsedCall, reportOptions } from "../option.ts";
import { hasOption } from "../reader.ts";
import { inspection, isWord, showing } from "./inspect.ts";

interface Change {
  readonly options: string;
  readonly kind: ActionKind;
  readonly check?: (call: Call, parsed: ParsedCall) => void;
}

function change({ options, kind, check }: Change): Program {
  const table = optionTable(options);
  return (call) => {
    const parsed = parseCall(call.args, table);
    reportOptions(call, parsed, table);
    found(
      call,
      kind,
      kind === "git_remote"
        ? `${call.name} talks to a remote repository`
        : `${call.name} changes the repository`,
    );
    check?.(call, parsed);
    // Links that come with other commits are not held by anything then.
    if (call.walk.isClosed && movesFiles(call, parsed)) {
      for (const root of call.walk.facts.roots) fills(call, wordFromText(root));
    }
    return undefined;
  };
}

function movesFiles({ name }: Call, parsed: ParsedCall): boolean {
  if (/^git (?:checkout|switch)$/.test(name)) return parsed.operands.length > 0;
  return /^git (?:merge|rebase|pull|cherry-pick|revert|stash|restore|reset)$/.test(name);
}

const discards = (call: Call, what: string): void =>
  found(call, "discard", `${call.name} ${what} destroys work that cannot be brought back`);

const overwrites = (call: Call, what: string): void =>
  found(call, "git_overwrite", `${call.name} ${what} overwrites what the remote repository has`);

function readsPaths(call: Call, { operands }: ParsedCall): void {
  for (const operand of operands) reads(call, operand);
}

/** Paths in the working tree that the command writes. */
function writesPaths(call: Call, parsed: ParsedCall): void {
  for (const operand of parsed.operands) {
    if (call.name === "git mv") reads(call, operand);
    writes(call, operand, call.name !== "git restore");
  }
  if (call.name === "git rm" && hasOption(parsed, "f")) discards(call, "-f");
}

function checkRestore(call: Call, parsed: ParsedCall): void {
  writesPaths(call, parsed);
  const isIndexOnly = hasOption(parsed, "S", "staged") && !hasOption(parsed, "W", "worktree");
  if (!isIndexOnly) discards(call, "of files");
}

/** Branches are safe to check out, files are overwritten; one operand may be either. */
function checkCheckout(call: Call, parsed: ParsedCall): void {
  const { operands } = parsed;
  const isNew = hasOption(parsed, "b", "B", "orphan", "detach", "d", "t", "track");
  const { cwds } = call.state;
  const mayBeFile = (word: ShellWord): boolean => {
    const text = literalText(word);
    if (text === undefined || !cwds || hasPathSign(text)) return true;
    return cwds.some((cwd) => call.walk.facts.realPath(posix.join(cwd, text)) !== undefined);
  };
  const isAfterDashes = call.args.some((word) => literalText(word) === "--");
  const files = operands.filter(mayBeFile);
  if (!isNew && (files.length > 0 || operands.length > 1 || isAfterDashes)) {
    for (const file of files) writes(call, file);
    discards(call, "of files");
  }
  if (hasOption(parsed, "f", "force", "m", "merge", "ours", "theirs")) discards(call, "by force");
}

/** True for a text that cannot be the name of a branch. */
function hasPathSign(text: string): boolean {
  return /^\.|\/$|^:|[*?[\]]/.test(text) && !/^\.\.?[^./]/.test(text);
}

/** Ends what was begun, with all that was resolved by hand. */
function checkAbort(call: Call, parsed: ParsedCall): void {
  if (hasOption(parsed, "abort", "skip")) discards(call, "--abort");
}

/** A place to push to or fetch from must be the name of a remote: addresses can run commands. */
function checkRemote(call: Call, { operands }: ParsedCall): void {
  const [remote, ...references] = operands;
  const text = remote && literalText(remote);
  if (
    remote &&
    (text === undefined ||
      !/^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[\w.-]+)*$/.test(text) ||
      text.includes(".."))
  ) {
    found(call, "opaque", "the remote is an address, which git may run commands for");
  }
  for (const reference of references) {
    if (knownStart(reference).startsWith("+")) overwrites(call, "by force");
    if (
      literalText(reference) === undefined ||
      /[\s~^?*[\\]|@\{/.test(literalText(reference) ?? "")
    ) {
      found(call, "opaque", "what is exchanged is known only when it runs");
    }
  }
}

function checkPush(call: Call, parsed: ParsedCall): void {
  checkRemote(call, parsed);
  const isForced =
    hasOption(parsed, "f", "force", "force-with-lease", "force-if-includes", "mirror", "prune") ||
    parsed.operands.some((operand) => knownStart(operand).startsWith("+"));
  if (isForced) overwrites(call, "by force");
  const isDelete =
    hasOption(parsed, "d", "delete") ||
    parsed.operands.some((operand) => knownStart(operand).startsWith(":"));
  if (isDelete) overwrites(call, "--delete");
}

function checkCommit(call: Call, parsed: ParsedCall): void {
  const hasMessage = hasOption(
    parsed,
    "m",
    "message",
    "F",
    "file",
    "C",
    "reuse-message",
    "no-edit",
    "fixup",
    "dry-run",
  );
  if (!hasMessage) found(call, "opaque", "git commit without a message opens an editor");
}

function checkReset(call: Call, parsed: ParsedCall): void {
  if (hasOption(parsed, "hard", "merge", "keep")) discards(call, "--hard");
}

/** Lists branches or tags without operands, and with options that only list. */
function checkBranch(call: Call, parsed: ParsedCall): void {
  if (hasOption(parsed, "D", "d", "delete", "f", "force", "M", "C")) discards(call, "-D");
}

const listing =
  "a r v l n:attached list all remotes verbose merged:attached no-merged:attached contains:attached no-contains:attached points-at: sort: format: color:attached no-color column:attached no-column abbrev: no-abbrev show-current ignore-case i";

/** `git branch`, `git tag`: a list, unless there is something to create or delete. */
function listOr(changing: Program): Program {
  const table = optionTable(listing);
  const list = inspection(listing);
  return (call) => {
    const parsed = parseCall(call.args, table);
    const isList =
      parsed.unknown === undefined &&
      (parsed.operands.length === 0 || hasOption(parsed, "l", "list", "contains", "merged"));
    return isList ? list(call) : changing(call);
  };
}

/** Commands with subcommands of their own: those that only read, by their first word. */
function subcommands(reading: RegExp): Program {
  return (call) => {
    const first = literalText(call.args[0]) ?? (call.args.length === 0 ? "" : "?");
    if (reading.test(first)) found(call, "inspect", `${call.name} ${first} only reads`);
    else found(call, "opaque", `${call.name} ${first} is not judged`);
    return undefined;
  };
}

const stashOptions =
  "u a k S p q m: message: include-untracked all keep-index no-keep-index staged quiet index";

const stash: Program = (call) => {
  if (isWord(call, 0, "drop", "clear")) {
    found(call, "discard", "git stash drop destroys work that cannot be brought back");
    return undefined;
  }
  if (isWord(call, 0, "list", "show"))
    return inspection(
      "p u s stat:attached oneline name-only name-status include-untracked only-untracked format: # n:",
    )(call);
  return change({ options: stashOptions, kind: "git_change" })(call);
};

const remote: Program = (call) => {
  const isList =
    call.args.length === 0 ||
    (call.args.length === 1 && isWord(call, 0, "-v", "--verbose", "show")) ||
    isWord(call, 0, "get-url") ||
    (isWord(call, 0, "show") && isWord(call, 1, "-n"));
  if (isList) found(call, "inspect", "lists remote repositories");
  else found(call, "opaque", "a remote's address can run commands");
  return undefined;
};

const mayHoldCredentials =
  /^(?:http|credential|url|sendemail|imap|github|gitlab)\.|token|password|passwd|secret|auth|regexp|urlmatch|--all|[*]/i;

const config: Program = (call) => {
  const reading =
    /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l|get|list|--show-origin|--show-scope|--local|--global|--system|--name-only|--type=\w+|--bool|--int|-z|--null)$/;
  const texts = call.args.map((word) => literalText(word) ?? "?");
  // As an operand behind another one, `list` is the value that is set.
  const operand = texts.find((text) => !text.startsWith("-")) ?? "";
  const isReading =
    (texts.some((text) => /^(?:--get.*|--list|-l)$/.test(text)) ||
      /^(?:get|list)$/.test(operand)) &&
    texts.every((text) => reading.test(text) || /^[A-Za-z][\w.*-]*$/.test(text));
  const isOne = texts.length === 1 && /^[A-Za-z][A-Za-z0-9-]*\.[\w.-]+$/.test(texts[0] ?? "");
  const isNamed =
    isOne || (texts.includes("--get") && !texts.includes("--list")) || operand === "get";
  if (isReading || isOne) {
    if (!isNamed || texts.some((text) => mayHoldCredentials.test(text))) {
      found(call, "secret", "settings may hold credentials");
    } else found(call, "inspect", "prints settings");
  } else found(call, "opaque", "settings of git can run commands");
  return undefined;
};

const showReflog = inspection(showing);

/** `git reflog` shows, like `git log`; its subcommands but for `show` change it. */
const reflog: Program = (call) => {
  const [first, ...rest] = call.args;
  const name = first && literalText(first);
  if (name === "show") return showReflog({ ...call, args: rest });
  if (!first || name?.startsWith("-") === true) return showReflog(call);
  found(call, "opaque", `git reflog ${name ?? "…"} is not judged`);
  return undefined;
};

const clean: Program = (call) => {
  const isDry = call.args.some((word) =>
    /^(?:-[dxX]*n[dxX]*|--dry-run)$/.test(literalText(word) ?? ""),
  );
  const isForced = call.args.some((word) => /^(?:-[a-zA-Z]*f|--force)/.test(knownStart(word)));
  if (isDry && !isForced) found(call, "inspect", "lists what would be deleted");
  else found(call, "discard", "git clean destroys files that cannot be brought back");
  return undefined;
};

const message = "m: F:read message: file:read";

const changes: Readonly<Record<string, Change>> = {
  add: {
    options:
      "A u v n f N all update verbose dry-run force intent-to-add ignore-errors refresh ignore-removal no-all renormalize",
    kind: "git_change",
    check: readsPaths,
  },
  commit: {
    options: `a s q v C: t:read ${message} all signoff no-signoff quiet verbose amend no-edit allow-empty allow-empty-message reuse-message: fixup: squash: author: date: trailer: dry-run short branch porcelain no-status status no-gpg-sign only include o i untracked-files:attached cleanup: reset-author`,
    kind: "git_change",
    check: checkCommit,
  },
  checkout: {
    options:
      "b: B: q f t track:attached no-track detach d quiet force ours theirs orphan: progress no-progress merge m ignore-skip-worktree-bits guess no-guess l",
    kind: "git_change",
    check: checkCheckout,
  },
  switch: {
    options:
      "c: q t d create: detach quiet track:attached no-track guess no-guess orphan: progress no-progress",
    kind: "git_change",
  },
  restore: {
    options:
      "s: S W q source: staged worktree quiet ours theirs progress no-progress overlay no-overlay",
    kind: "git_change",
    check: checkRestore,
  },
  merge: {
    options: `n q v X: ${message} no-ff ff ff-only squash no-commit commit no-edit stat no-stat log:attached quiet verbose strategy-option: abort quit allow-unrelated-histories signoff no-verify-signatures progress no-progress`,
    kind: "git_change",
    check: checkAbort,
  },
  rebase: {
    options:
      "q v X: onto: abort skip quit autosquash no-autosquash autostash no-autostash keep-base root quiet verbose stat no-stat rebase-merges:attached update-refs fork-point no-fork-point strategy-option: committer-date-is-author-date",
    kind: "git_change",
    check: checkAbort,
  },
  "cherry-pick revert": {
    options:
      "n x m: s X: no-commit mainline: signoff abort quit skip no-edit strategy-option: allow-empty keep-redundant-commits",
    kind: "git_change",
    check: checkAbort,
  },
  mv: {
    options: "v n k verbose dry-run",
    kind: "git_change",
    check: writesPaths,
  },
  rm: {
    options: "r n q f cached dry-run quiet force ignore-unmatch",
    kind: "git_change",
    check: writesPaths,
  },
  reset: {
    options: "q N quiet soft mixed hard merge keep intent-to-add no-refresh refresh",
    kind: "git_change",
    check: checkReset,
  },
  push: {
    options:
      "u q v n f d 4 6 set-upstream quiet verbose dry-run porcelain force force-with-lease:attached force-if-includes mirror prune delete tags follow-tags all branches atomic progress no-progress signed:attached thin no-thin",
    kind: "git_remote",
    check: checkPush,
  },
  pull: {
    options:
      "q v r:attached 4 6 rebase:attached no-rebase ff-only ff no-ff quiet verbose autostash no-autostash prune p tags t no-tags all depth: squash no-edit no-commit commit stat no-stat progress no-progress unshallow X: strategy-option: allow-unrelated-histories",
    kind: "git_remote",
    check: checkRemote,
  },
  fetch: {
    options:
      "q v p t n a 4 6 j: all append prune prune-tags tags no-tags quiet verbose depth: deepen: unshallow multiple dry-run progress no-progress atomic jobs: shallow-since: update-shallow",
    kind: "git_remote",
    check: checkRemote,
  },
  init: { options: "q b: quiet initial-branch:", kind: "git_change", check: writesPaths },
};

const branch = change({
  options:
    "m c u: t:attached d D f M C r move copy set-upstream-to: unset-upstream track:attached no-track delete force quiet q create-reflog",
  kind: "git_change",
  check: checkBranch,
});
const tag = change({
  options: `a d f ${message} annotate delete force`,
  kind: "git_change",
  check: (call, parsed) => {
    if (hasOption(parsed, "d", "delete", "f", "force")) discards(call, "-d");
  },
});

export const changeCommands: ReadonlyMap<string, Program> = new Map<string, Program>([
  ...Object.entries(changes).flatMap(([names, entry]) => {
    const program = change(entry);
    return names.split(" ").map((name): [string, Program] => [name, program]);
  }),
  ["branch", listOr(branch)],
  ["tag", listOr(tag)],
  ["stash", stash],
  ["remote", remote],
  ["config", config],
  ["clean", clean],
  ["reflog", reflog],
  ["worktree", subcommands(/^list$/)],
  ["submodule", subcommands(/^status$/)],
  ["bisect", subcommands(/^log$/)],
  ["notes", subcommands(/^list$/)],
]);
