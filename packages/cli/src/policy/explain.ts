import type { Evaluation, Verdict } from "@turnwire/policy";
import { CliError, exitCode } from "../error/cli-error.ts";
import type { Format } from "../terminal/format.ts";
import { safeLine } from "../terminal/safe-text.ts";
import { wrap } from "../terminal/wrap.ts";
import type { Question } from "./question.ts";

/** How a program that asks learns the verdict. */
export const verdictExitCode: Readonly<Record<Verdict, number>> = {
  allow: exitCode.ok,
  deny: exitCode.failure,
  ask: exitCode.waitsForPerson,
};

/** An evaluation for a person: the verdict, why, and all that was found. */
export function explanationLines(
  { verdict, rule, reason, policy_version, judgements }: Evaluation,
  { context, remarks }: Question,
  format: Format,
): string[] {
  const { bold, dim, green, yellow, red } = format.colors;
  const paint = { allow: green, ask: yellow, deny: red };
  const width = Math.min(format.width, 100);
  const distinct = new Map(
    judgements.map((found) => [`${found.verdict} ${found.rule} ${found.subject}`, found]),
  );
  const found = [...distinct.values()].map(
    (one) =>
      `  ${paint[one.verdict](one.verdict.padEnd(5))} ${safeLine(one.subject) || "(all of it)"} ${dim(`[${one.rule}] ${safeLine(one.reason)}`)}`,
  );
  const { facts, mode } = context;
  return [
    `${paint[verdict](bold(verdict))} ${dim(`by the rule ${rule}`)}`,
    ...wrap(safeLine(reason), width, { first: "  ", rest: "  " }),
    ...(found.length > 1 ? ["", bold("Found in it"), ...found] : []),
    "",
    dim(`Mode ${mode}, in ${safeLine(facts.cwd)}, roots ${facts.roots.map(safeLine).join(", ")}`),
    dim(`Policy ${policy_version.slice(0, 16)}`),
    ...remarks.map((remark) => yellow(safeLine(remark))),
  ];
}

/** One JSON string per line in, one verdict per line out; a line that is not a string is denied. */
export async function* answerLines(
  lines: AsyncIterable<string>,
  question: Question,
): AsyncGenerator<{ text: string; isValid: boolean }> {
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    const command = stringFrom(line);
    const { verdict, rule, reason } =
      command === undefined
        ? {
            verdict: "deny",
            rule: "invalid_input",
            reason: `line ${number} is not one JSON string`,
          }
        : question.ask(command);
    yield {
      text: JSON.stringify({ verdict, rule, reason }),
      isValid: command !== undefined,
    };
  }
}

function stringFrom(line: string): string | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The one command after `explain`. */
export function commandFrom(words: readonly string[]): string {
  const [command, ...more] = words;
  if (command === undefined) {
    throw new CliError("usage", "Which command? turnwire policy explain 'COMMAND', or --stdin");
  }
  if (more.length > 0) {
    throw new CliError(
      "usage",
      "The command must be one argument: put it into single quotes, turnwire policy explain 'ls -la'",
    );
  }
  return command;
}
