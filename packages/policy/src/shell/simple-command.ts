import type { Assignment, Command, CommandArgument } from "unbash";
import { matchRules } from "../argv-rule.ts";
import type { Action } from "../action.ts";
import { LimitReached } from "../limit-reached.ts";
import { runPathProgram } from "../program/path-program.ts";
import { programFor } from "../program/registry.ts";
import type { Call } from "../program/call.ts";
import { expandWhole, expandWord } from "./expand.ts";
import { redirect } from "./redirection.ts";
import { isSplit, literalText, type ShellWord, wordSource } from "./shell-word.ts";
import {
  type Flow,
  flowOf,
  forgotten,
  type State,
  unlessSkipped,
  withoutVariables,
  withVariable,
} from "./state.ts";
import { mayAssign, mayExport } from "./variable-name.ts";
import type { Input, Invocation, Walk } from "./walk.ts";
import { isArrayWhollyRead, notRead } from "./wholly-read.ts";

const maxArguments = 500;

/** Evaluates one command as it is written: its variables, words and redirections, then what it runs. */
export function runSimpleCommand(
  node: Command,
  { state, input }: { readonly state: State; readonly input: Input },
  walk: Walk,
): Flow {
  if (node.suffix.length + node.prefix.length > maxArguments) {
    throw new LimitReached(`a command has more than ${maxArguments} arguments`);
  }
  const assignments = new Map<string, ShellWord>();
  let assigned = state;
  for (const item of node.prefix) {
    if (item.type === "Assignment") {
      // Each value sees what was assigned before it.
      const value = assignedValue(item, assigned, walk);
      assignments.set(item.name, value);
      assigned = withVariable(assigned, item.name, isSplit(value) ? undefined : value);
    }
  }
  const words = [...(node.name ? [node.name] : []), ...node.args].flatMap((argument) =>
    expandArgument(argument, state, walk),
  );
  const ownInput =
    redirect(node.redirects, withoutVariables(state, assignments.keys()), walk) ?? input;
  if (words.length === 0) return assign(assignments, state, walk);
  const flow = runWords(words, { state, input: ownInput, assignments }, walk);
  return unlessSkipped(flow, state, node.redirects);
}

function assignedValue(assignment: Assignment, state: State, walk: Walk): ShellWord {
  const { name, value, index, append } = assignment;
  if (index) walk.reportKind("opaque", assignment.text, "an index can run commands");
  if (value.type === "ArrayValue") {
    if (!isArrayWhollyRead(assignment)) walk.reportKind("opaque", assignment.text, notRead);
    for (const element of value.elements) {
      if (/^\s*\[/.test(element.text))
        walk.reportKind("opaque", element.text, "an index can run commands");
      expandWord(element, { walk, state });
    }
    return { pieces: [{ type: "unknown", origin: "any", isSplit: true }] };
  }
  const word = expandWhole(value, { walk, state });
  if (append !== true) return word;
  const before = state.variables.get(name);
  return before
    ? { pieces: [...before.pieces, ...word.pieces] }
    : { pieces: [{ type: "unknown", origin: "any", isSplit: false }] };
}

function assign(assignments: ReadonlyMap<string, ShellWord>, state: State, walk: Walk): Flow {
  let after = state;
  for (const [name, word] of assignments) {
    if (!mayAssign(name)) reportVariable(name, walk);
    after = withVariable(after, name, isSplit(word) ? undefined : word);
  }
  return flowOf(after);
}

function reportVariable(name: string, walk: Walk): void {
  walk.reportKind("environment", `${name}=`, `setting ${name} can change what programs do`);
}

function expandArgument(argument: CommandArgument, state: State, walk: Walk): readonly ShellWord[] {
  if (argument.type === "Word") return expandWord(argument, { walk, state });
  const value = assignedValue(argument, state, walk);
  const sign = argument.append === true ? "+=" : "=";
  return [{ pieces: [{ type: "text", text: argument.name + sign }, ...value.pieces] }];
}

/** Evaluates a command whose words are expanded. */
export function runWords(words: readonly ShellWord[], invocation: Invocation, walk: Walk): Flow {
  const names = [...invocation.assignments.keys()];
  if (names.length === 0) return runNamed(words, invocation, walk);
  const state = withoutVariables(invocation.state, names);
  const flow = runNamed(words, { ...invocation, state }, walk);
  // Some builtins keep what was set for them alone.
  const ok = withoutVariables(flow.ok, names);
  return { ...flow, ok, failed: withoutVariables(flow.failed, names) };
}

function runNamed(words: readonly ShellWord[], invocation: Invocation, walk: Walk): Flow {
  const [first, ...args] = words;
  const name = literalText(first);
  const subject = words.map(wordSource).join(" ");
  for (const variable of invocation.assignments.keys()) {
    const isForRead = variable === "IFS" && name === "read";
    if (!mayExport(variable) && !isForRead) reportVariable(variable, walk);
  }
  if (name === undefined || name === "") {
    walk.reportKind("opaque", subject, "the name of the command is known only when it runs");
    return flowOf(forgotten(invocation.state));
  }
  const ownWalk = commandWalk(words, walk, reportRules(words, invocation, walk));
  const call: Call = { ...invocation, name, args, subject, walk: ownWalk };
  if (name.includes("/")) return runPathProgram(call);
  if (invocation.state.functions.has(name)) {
    return flowOf({ ...forgotten(invocation.state), cwds: invocation.state.cwds });
  }
  const program = programFor(name);
  if (program) return program(call) ?? flowOf(invocation.state);
  ownWalk.reportKind(
    "unknown_program",
    subject,
    `${name} is not a program that the evaluator knows`,
  );
  return flowOf(invocation.state);
}

/** Answers whether a rule allows the command. */
function reportRules(words: readonly ShellWord[], { state }: Invocation, walk: Walk): boolean {
  const subject = words.map(wordSource).join(" ");
  const matches = matchRules(walk.rules, words).filter(
    ({ verdict }) => verdict !== "allow" || isWhereRulesMean(words[0], state, walk),
  );
  const isAllowedByOwn = matches.some(({ verdict, isOwn }) => verdict === "allow" && isOwn);
  for (const { id, verdict, reason, mayDeny } of matches) {
    const isExcused = isAllowedByOwn && !mayDeny;
    walk.report({ type: "rule", id, verdict, reason, subject, words, isExcused });
  }
  return matches.some(({ verdict }) => verdict === "allow");
}

/** A program by a relative path is what a rule means only in the first root. */
function isWhereRulesMean(first: ShellWord | undefined, { cwds }: State, walk: Walk): boolean {
  const name = literalText(first) ?? "";
  if (!name.includes("/") || name.startsWith("/")) return true;
  return cwds?.length === 1 && cwds[0] === walk.facts.roots[0];
}

/** Reports with the words of the command. A rule that allows it answers for what would be asked about it; not for what it starts. */
function commandWalk(words: readonly ShellWord[], walk: Walk, isExcused: boolean): Walk {
  const report = (action: Action): void => walk.report({ ...action, words, isExcused });
  return {
    ...walk,
    report,
    reportKind: (kind, subject, reason) => report({ type: "kind", kind, reason, subject }),
  };
}
