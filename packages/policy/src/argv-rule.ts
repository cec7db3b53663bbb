import { posix } from "node:path";
import type { ArgvRule } from "./mode.ts";
import { literalText, type ShellWord } from "./shell/shell-word.ts";
import type { Verdict } from "./verdict.ts";

interface RuleMatch {
  readonly id: string;
  readonly verdict: Verdict;
  readonly reason: string;
}

/** The rules that fit a command; one that may fit, depending on what is not known yet, asks. */
export function matchRules(
  rules: readonly ArgvRule[],
  words: readonly ShellWord[],
): readonly RuleMatch[] {
  return rules.flatMap((rule) => {
    const { id, verdict, reason } = rule;
    const fit = fitOf(rule, words);
    if (fit === "yes") return [{ id, verdict, reason }];
    return fit === "maybe" && verdict !== "allow" ? [{ id, verdict: "ask" as const, reason }] : [];
  });
}

/** Whether a command begins with the words of a rule. */
export function fitOf(rule: ArgvRule, words: readonly ShellWord[]): "yes" | "maybe" | "no" {
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
  return "yes";
}
