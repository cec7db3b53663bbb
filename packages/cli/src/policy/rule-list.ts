import { resolve } from "node:path";
import { defined } from "@turnwire/base";
import type { PolicyFileInfo, PolicyInfo, PolicyRule, WrittenPolicyRule } from "@turnwire/protocol";
import { CliError } from "../error/cli-error.ts";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { tableLines } from "../terminal/table.ts";

/** What the options of `turnwire policy allow` say. */
export interface RuleOptions {
  readonly tool: string | undefined;
  readonly path: string | undefined;
  readonly write: boolean;
  readonly host: string | undefined;
  readonly exact: boolean;
  readonly mode: string | undefined;
  readonly project: string | undefined;
  readonly note: string | undefined;
}

/** The rule that the options, or else the words of a command, describe. */
export function ruleFrom(
  options: RuleOptions,
  words: readonly string[],
  cwd: string,
): WrittenPolicyRule {
  const { tool, path, host, mode, note } = options;
  const given = [tool, path, host, words.length > 0 ? words : undefined];
  if (given.filter((one) => one !== undefined).length !== 1) {
    throw new CliError(
      "usage",
      "What is to be allowed? The words of a command, --tool, --path or --host: one of them.",
    );
  }
  const project = options.project === undefined ? undefined : resolve(cwd, options.project);
  const scope = defined({ mode, note, project });
  if (tool !== undefined) return { kind: "tool", tool, ...scope };
  if (host !== undefined) return { kind: "host", host, ...scope };
  if (path !== undefined) {
    return { kind: "path", path, access: options.write ? "write" : "read", ...scope };
  }
  return {
    kind: "argv",
    argv: [...words],
    ...(options.exact && { is_exact: true }),
    ...scope,
  };
}

/** A rule in a few words. */
export function ruleText(rule: PolicyRule): string {
  switch (rule.kind) {
    case "argv": {
      const words = rule.argv.map((word) =>
        typeof word === "string" ? word : `(${word.join("|")})`,
      );
      return safeLine(`${words.join(" ")}${rule.is_exact === true ? "" : " …"}`);
    }
    case "tool":
      return safeLine(`the tool ${rule.tool}`);
    case "path":
      return safeLine(`${rule.access} ${rule.path}`);
    case "host":
      return safeLine(`connect to ${rule.host}`);
  }
}

export function ruleLines(rules: readonly PolicyRule[], format: Format): string[] {
  if (rules.length === 0) {
    return ["There are no rules of your own. Allow something: turnwire policy allow WORDS"];
  }
  const rows = rules.map((rule) => [
    rule.id,
    ruleText(rule),
    safeLine(rule.mode ?? "every mode"),
    safeLine(rule.project ?? "everywhere"),
    rule.created_at.slice(0, 10),
  ]);
  return tableLines({ header: ["ID", "ALLOWED", "MODE", "WHERE", "SINCE"], rows }, format);
}

const levelTexts = { built_in: "built in", user: "yours", project: "project" } as const;

export function modeLines({ modes, files }: PolicyInfo, format: Format): string[] {
  const rows = modes.map(({ name, level, max_turns, description, problem }) => [
    safeLine(name),
    levelTexts[level],
    max_turns === undefined ? "" : String(max_turns),
    safeLine(problem === undefined ? description : `cannot be used: ${problem}`),
  ]);
  return [
    ...tableLines({ header: ["MODE", "FROM", "TURNS", "WHAT IT IS FOR"], rows }, format),
    ...files.flatMap((file) => fileLines(file, format)),
  ];
}

function fileLines(file: PolicyFileInfo, { colors }: Format): string[] {
  const { path, status, problems = [], has_earlier: hasEarlier } = file;
  const rest = hasEarlier === true ? "; what it said before is in force" : "";
  const title = `${safeLine(path)}: ${status}${rest}`;
  return [
    "",
    status === "loaded" ? colors.dim(title) : colors.yellow(title),
    ...problems.map((problem) => `  ${safeLine(problem)}`),
  ];
}
