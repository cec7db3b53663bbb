import type { PolicyRule, WrittenPolicyRule } from "@turnwire/protocol";
import { argvFromText, textFromArgv } from "./argv-text.ts";
import { policyModeLabel } from "./policy-mode-option.ts";

/** What a rule is about: the same fields in a stored rule and in one that is being written. */
export type RuleFields = WrittenPolicyRule | PolicyRule;

/** What a rule allows, in words; code in backticks. */
export function ruleSubject(rule: RuleFields): string {
  const value = code(ruleValue(rule));
  switch (rule.kind) {
    case "argv":
      return rule.is_exact === true ? `Run ${value}` : `Run ${value} with any further words`;
    case "tool":
      return `Use the tool ${value}`;
    case "path":
      return rule.access === "read" ? `Read ${value}` : `Write ${value}`;
    case "host":
      return `Connect to ${value}`;
  }
}

/** Where and in which mode a rule holds. */
export function ruleScope({ mode, project }: RuleFields): string {
  const inMode = mode === undefined ? "in every mode" : `in the mode ${policyModeLabel(mode)}`;
  const where = project === undefined ? "in every project" : `in ${code(project)}`;
  return `${inMode}, ${where}`;
}

/** The text that a person edits. */
export function ruleValue(rule: RuleFields): string {
  switch (rule.kind) {
    case "argv":
      return textFromArgv(rule.argv);
    case "tool":
      return rule.tool;
    case "path":
      return rule.path;
    case "host":
      return rule.host;
  }
}

/** A rule with what was typed; a problem where that is not a rule. A text that did not change changes nothing. */
export function withRuleValue<Rule extends RuleFields>(
  rule: Rule,
  text: string,
): { readonly rule: Rule } | { readonly problem: string } {
  if (text === ruleValue(rule)) return { rule };
  const value = text.trim();
  if (value === "") return { problem: emptyProblems[rule.kind] };
  if (rule.kind !== "argv") return { rule: { ...rule, [rule.kind]: value } };
  const argv = argvFromText(value);
  return argv ? { rule: { ...rule, argv } } : { problem: "A quote in the command is not closed." };
}

const emptyProblems: Readonly<Record<RuleFields["kind"], string>> = {
  argv: "Write at least the first word of the command.",
  tool: "Write the name of a tool.",
  path: "Write the path of a file or directory.",
  host: "Write the name of a host.",
};

/** A path or command may hold backticks itself. */
function code(text: string): string {
  return text.includes("`") ? text : `\`${text}\``;
}
