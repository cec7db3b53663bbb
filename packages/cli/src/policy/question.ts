import { existsSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { errorText } from "@turnwire/base";
import {
  type Evaluation,
  evaluateCommand,
  parsePolicy,
  type Policy,
  type PolicyContext,
  PolicyError,
  modeOf,
} from "@turnwire/policy";
import { entries, realPath } from "@turnwire/policy/file-system";
import { CliError } from "../error/cli-error.ts";
import type { Context } from "../program/context.ts";
import { policyInForce } from "./policy-access.ts";

/** What the options of `turnwire policy` say. */
export interface QuestionOptions {
  /** By default the planner's. */
  readonly mode: string | undefined;
  readonly data: string | undefined;
  readonly cwd: string | undefined;
  readonly root: readonly string[];
  readonly policy: string | undefined;
  readonly unattended: boolean;
}

/** A policy, a mode and a place, ready for any number of commands. */
export interface Question {
  readonly context: PolicyContext;
  /** Things that make the answer less certain, for people. */
  readonly remarks: readonly string[];
  ask(command: string, mode?: string): Evaluation;
}

/** By the policy file that is named, else by the policy of this machine. */
export async function createQuestion(
  options: QuestionOptions,
  invocation: Context,
): Promise<Question> {
  const { cwd, home } = invocation;
  const { mode = "planner" } = options;
  const place = resolve(cwd, options.cwd ?? ".");
  const policy =
    options.policy === undefined
      ? await policyInForce(options, invocation, place)
      : readPolicy(options.policy, cwd);
  checkMode(policy, mode);
  const roots = options.root.length > 0 ? options.root.map((root) => resolve(cwd, root)) : [place];
  const missing = [...new Set([place, ...roots])].filter((path) => !existsSync(path));
  const context: PolicyContext = {
    policy,
    mode,
    facts: { cwd: place, roots, home, realPath, entries, isUnattended: options.unattended },
  };
  return {
    context,
    remarks: missing.map((path) => `${path} does not exist: its paths are judged by their names.`),
    ask(command, other = mode) {
      checkMode(policy, other);
      return evaluateCommand(command, { ...context, mode: other });
    },
  };
}

function checkMode(policy: Policy, mode: string): void {
  try {
    modeOf(policy, mode);
  } catch (error) {
    throw new CliError("usage", errorText(error), { cause: error });
  }
}

function readPolicy(file: string, cwd: string): Policy {
  const path = resolve(cwd, file);
  try {
    return parsePolicy(JSON.parse(readFileSync(path, "utf8")));
  } catch (error) {
    const reason = error instanceof PolicyError ? error.problems.join("\n  ") : errorText(error);
    throw new CliError("usage", `The policy file ${path} cannot be used:\n  ${reason}`, {
      cause: error,
    });
  }
}
