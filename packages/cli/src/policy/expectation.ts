import { readFileSync } from "node:fs";
import { errorText, isObject } from "@turnwire/base";
import type { Evaluation } from "@turnwire/policy";
import { CliError } from "../error/cli-error.ts";
import { safeLine } from "../terminal/safe-text.ts";
import type { Question } from "./question.ts";

const expected = ["allow", "ask", "deny", "refused"] as const;
type Expected = (typeof expected)[number];

/** One line of a test file. */
interface Expectation {
  readonly line: number;
  readonly command: string;
  /** `refused` is ask or deny. */
  readonly verdict: Expected;
  readonly mode: string | undefined;
}

/** An expectation that the policy does not meet. */
export interface Surprise extends Expectation {
  readonly actual: Pick<Evaluation, "verdict" | "rule" | "reason">;
}

/** Reads a test file: `{"command", "verdict", "mode"?}` on each line. */
export function readExpectations(path: string): Expectation[] {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new CliError("usage", `${path} cannot be read: ${errorText(error)}`, { cause: error });
  }
  const expectations = text
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [expectationFrom(line, index + 1, path)]));
  if (expectations.length === 0) throw new CliError("usage", `${path} has no tests.`);
  return expectations;
}

function expectationFrom(line: string, number: number, path: string): Expectation {
  const data = parsed(line);
  const { command, verdict, mode } = isObject(data) ? data : {};
  const wanted = expected.find((candidate) => candidate === verdict);
  const isValid =
    typeof command === "string" &&
    wanted !== undefined &&
    ["string", "undefined"].includes(typeof mode);
  if (!isValid) {
    throw new CliError(
      "usage",
      `Line ${number} of ${path} is not {"command": TEXT, "verdict": ${expected.map((name) => `"${name}"`).join(" | ")}, "mode"?: TEXT}.`,
    );
  }
  return {
    line: number,
    command,
    verdict: wanted,
    mode: typeof mode === "string" ? mode : undefined,
  };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** Those that the policy does not meet. */
export function surprisesIn(
  expectations: readonly Expectation[],
  question: Question,
): readonly Surprise[] {
  return expectations.flatMap((expectation) => {
    const { verdict, rule, reason } = question.ask(expectation.command, expectation.mode);
    const isMet =
      expectation.verdict === "refused" ? verdict !== "allow" : verdict === expectation.verdict;
    return isMet ? [] : [{ ...expectation, actual: { verdict, rule, reason } }];
  });
}

export function surpriseLines({ line, command, verdict, actual }: Surprise): string[] {
  return [
    `line ${line}: expected ${verdict}, is ${actual.verdict} by ${actual.rule}: ${safeLine(command)}`,
    `  ${safeLine(actual.reason)}`,
  ];
}
