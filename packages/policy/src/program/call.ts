import type { ActionKind } from "../action.ts";
import { reportPath } from "../shell/path-report.ts";
import type { ShellWord } from "../shell/shell-word.ts";
import type { Flow } from "../shell/state.ts";
import type { Invocation, Walk } from "../shell/walk.ts";

/** A program that is started, with its words expanded. */
export interface Call extends Invocation {
  readonly name: string;
  readonly args: readonly ShellWord[];
  /** The whole command, for people. */
  readonly subject: string;
  readonly walk: Walk;
}

/** Reports what a call of the program would do; answers with what holds after it, if that changes. */
export type Program = (call: Call) => Flow | undefined;

export function found(call: Call, kind: ActionKind, reason: string): void {
  call.walk.reportKind(kind, call.subject, reason);
}

export function reads(call: Call, word: ShellWord): void {
  reportPath(word, { access: "read", subject: call.subject, state: call.state, walk: call.walk });
}

/** Writes into a directory, by way of the links that are in it. */
export function writesInto(call: Call, word: ShellWord): void {
  const { subject, state, walk } = call;
  reportPath(word, { access: "write", subject, state, walk, followsLinks: true });
}

/** Reads all that is in a directory. */
export function readsTree(call: Call, word: ShellWord, followsLinks = false): void {
  const { subject, state, walk } = call;
  reportPath(word, { access: "read", subject, state, walk, isTree: true, followsLinks });
}

export function writes(call: Call, word: ShellWord, isTree = false): void {
  reportPath(word, {
    access: "write",
    subject: call.subject,
    state: call.state,
    walk: call.walk,
    isTree,
  });
}
