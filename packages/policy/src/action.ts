import { z } from "zod";
import type { NamePattern } from "./name-pattern.ts";
import type { ShellWord } from "./shell/shell-word.ts";

/** The kinds of actions besides paths and network targets; a mode has a verdict for each. */
export const actionKinds = {
  inspect: "prints or computes something and changes nothing",
  project_code: "runs code of the project: scripts, tests, builds",
  local_program: "runs a program or shell script by its path",
  install: "downloads and installs packages",
  git_change: "changes the repository: index, commits, branches, working tree",
  git_remote: "exchanges commits with a remote repository",
  git_overwrite: "overwrites or deletes what a remote repository has: push --force",
  discard:
    "destroys work that cannot be brought back: reset --hard, checkout of files, clean -f, find -delete",
  process: "ends or controls processes, the machine, or its disks",
  permissions: "changes the mode or the owner of files",
  privilege: "becomes another user",
  environment: "sets a variable that changes what programs do",
  secret: "prints secrets: the environment, keys",
  unknown_program: "a program that the evaluator does not know",
  opaque: "cannot be judged: dynamic, malformed, inline code, an unknown option",
  limit: "too large, too deep or too long to be judged",
} as const satisfies Readonly<Record<string, string>>;

export type ActionKind = keyof typeof actionKinds;
export const ActionKind = z.enum(Object.keys(actionKinds) as [ActionKind, ...ActionKind[]]);

export type Access = "read" | "write";

/** A path that something reads or writes; without `path` it cannot be known before it runs. */
export interface PathAction {
  readonly type: "path";
  readonly access: Access;
  readonly path?: PathTarget;
  /** The part of the command it was found in, for people. */
  readonly subject: string;
}

/** A real path; a pattern where names in it are found by a glob. */
export interface PathTarget {
  readonly path: string;
  /** Names that match globs, by the index of the component. */
  readonly globs?: ReadonlyMap<number, NamePattern>;
  /** The paths that a glob finds there now. */
  readonly found?: readonly PathTarget[];
  /** The whole directory with all that is in it. */
  readonly isTree?: boolean;
  /** Links in the tree are followed. */
  readonly followsLinks?: boolean;
  /** The names in the tree are split into words. */
  readonly isSplit?: boolean;
  /** A link on the way leads there. */
  readonly isThroughLink?: boolean;
  /** Nothing is known of it before the command runs. */
  readonly isUnknown?: boolean;
  /** The real path could not be found out, so where this leads is unknown. */
  readonly isUnresolved?: boolean;
}

export interface NetworkAction {
  readonly type: "network";
  /** Undefined where it cannot be known before it runs. */
  readonly host: string | undefined;
  readonly subject: string;
}

export interface KindAction {
  readonly type: "kind";
  readonly kind: ActionKind;
  readonly reason: string;
  readonly subject: string;
}

/** A rule on argv that fits: it has its own verdict. */
export interface RuleAction {
  readonly type: "rule";
  readonly id: string;
  readonly verdict: "allow" | "ask" | "deny";
  readonly reason: string;
  readonly subject: string;
}

/** One thing that a command would do, or that keeps us from knowing what it would do. */
export type Action = (PathAction | NetworkAction | KindAction | RuleAction) & {
  /** A rule allows the command: no one has to be asked about this; what is denied stays denied. */
  readonly isExcused?: boolean;
  /** The words of the command that does it. */
  readonly words?: readonly ShellWord[];
};
