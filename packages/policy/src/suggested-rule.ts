import { isDeepStrictEqual } from "node:util";
import type { Action, PathTarget } from "./action.ts";
import { type AllowedThing, allowRuleProblems } from "./allow-rule.ts";
import { Collector, type PolicyContext } from "./evaluate.ts";
import { withRules } from "./policy.ts";
import { literalText, type ShellWord } from "./shell/shell-word.ts";
import { collectToolCall, evaluateToolCall, type ToolCall } from "./tool-call.ts";

const maxWords = 100;
const maxWordLength = 4_096;

/**
 * The narrowest rule of one's own with which the same call would be allowed without asking;
 * undefined where no single rule does that.
 */
export function suggestedRule(call: ToolCall, context: PolicyContext): AllowedThing | undefined {
  const collector = new Collector(context);
  collectToolCall(call, collector);
  if (collector.evaluation().verdict !== "ask") return undefined;
  const { asked } = collector;
  const things = asked.length === 0 ? [toolOf(call)] : [onlyThing(asked), wholeCommand(asked)];
  return things
    .filter((thing) => thing !== undefined)
    .find((thing) => isUsable(thing) && isEnough(thing, call, context));
}

function isUsable(thing: AllowedThing): boolean {
  return allowRuleProblems(thing).length === 0;
}

function isEnough(thing: AllowedThing, call: ToolCall, context: PolicyContext): boolean {
  const rules = [...context.policy.rules, { id: "suggested", ...thing }];
  const policy = withRules(context.policy, rules);
  return evaluateToolCall(call, { ...context, policy }).verdict === "allow";
}

function toolOf({ tool }: ToolCall): AllowedThing {
  return { kind: "tool", tool };
}

/** The common subject of all questions, where that is one file, one host or one command. */
function onlyThing(asked: readonly Action[]): AllowedThing | undefined {
  const [first, ...others] = asked.map(thingOf);
  return first && others.every((other) => isDeepStrictEqual(other, first)) ? first : undefined;
}

function thingOf(action: Action): AllowedThing | undefined {
  switch (action.type) {
    case "path":
      return action.path && pathOf(action.path, action.access);
    case "network":
      return action.host === undefined ? undefined : { kind: "host", host: action.host };
    case "kind":
    case "rule":
      return commandOf(action);
  }
}

function pathOf(target: PathTarget, access: "read" | "write"): AllowedThing | undefined {
  const { path, globs, isTree, isUnresolved } = target;
  if (globs || isUnresolved === true || path.length > maxWordLength) return undefined;
  return { kind: "path", path: isTree === true ? `${path}/` : path, access };
}

/** The one command that does all that is asked. */
function wholeCommand(asked: readonly Action[]): AllowedThing | undefined {
  const [first, ...others] = asked;
  return first && others.every(({ words }) => words === first.words) ? commandOf(first) : undefined;
}

/** All words of a command; those before the first that is not known, where these say enough. */
function commandOf(action: Action): AllowedThing | undefined {
  const words = action.words?.slice(0, maxWords + 1) ?? [];
  const argv = knownWords(words);
  if (argv.some((word) => word.length > maxWordLength)) return undefined;
  if (argv.length === words.length) {
    return words.length === 0 || words.length > maxWords
      ? undefined
      : { kind: "argv", argv, is_exact: true };
  }
  const isCode = action.type === "kind" && action.kind === "opaque";
  return argv.length < 2 || isCode ? undefined : { kind: "argv", argv };
}

function knownWords(words: readonly ShellWord[]): string[] {
  const texts = words.map(literalText);
  const end = texts.indexOf(undefined);
  return (end === -1 ? texts : texts.slice(0, end)).filter((text) => text !== undefined);
}
