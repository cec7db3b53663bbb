import { posix } from "node:path";
import type { ArgvRule } from "./mode.ts";
import { isSplit, literalText, type ShellWord } from "./shell/shell-word.ts";
import type { Verdict } from "./verdict.ts";

/** A rule on commands: of a mode, or a person's own. */
export type CommandRule = Pick<ArgvRule, "id" | "argv" | "is_exact" | "verdict" | "reason"> & {
  readonly isOwn?: boolean;
};

interface RuleMatch {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
  readonly isOwn: boolean;
  /** It denies, but whether it fits depends on what is not known yet. */
  readonly mayDeny: boolean;
}

/** The rules that fit a command; one that may fit, depending on what is not known yet, asks. */
export function matchRules(
  rules: readonly CommandRule[],
  words: readonly ShellWord[],
): readonly RuleMatch[] {
  return rules.flatMap((rule): RuleMatch[] => {
    const { id, verdict, reason, isOwn = false } = rule;
    const fit = fitOf(rule, words);
    if (fit === "yes") return [{ id, verdict, reason, isOwn, mayDeny: false }];
    if (fit === "no" || verdict === "allow") return [];
    return [{ id, verdict: "ask", reason, isOwn, mayDeny: verdict === "deny" }];
  });
}

/** Whether a command begins with the words of a rule. */
function fitOf(rule: CommandRule, words: readonly ShellWord[]): "yes" | "maybe" | "no" {
  for (const [index, expected] of rule.argv.entries()) {
    const word = words[index];
    if (!word) return "no";
    const given = literalText(word);
    if (given === undefined) return index > 0 ? "maybe" : "no";
    const options = typeof expected === "string" ? [expected] : expected;
    const isSame =
      options.includes(given) ||
      (index === 0 && rule.verdict !== "allow" && options.includes(posix.basename(given)));
    if (!isSame) return "no";
  }
  if (rule.is_exact !== true || words.length === rule.argv.length) return "yes";
  // An unknown part may expand to no word at all.
  return words.slice(rule.argv.length).every(isSplit) ? "maybe" : "no";
}
