import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { CliError, exitCode } from "../cli-error.ts";
import { defineCommand, type Invocation } from "../command.ts";
import { jsonOption } from "../configuration.ts";
import { flagOption, listOption, textOption } from "../option.ts";
import { answerLines, commandFrom, explanationLines, verdictExitCode } from "../policy/explain.ts";
import { readExpectations, surpriseLines, surprisesIn } from "../policy/expectation.ts";
import { createQuestion, type Question } from "../policy/question.ts";
import { didYouMean } from "../suggestion.ts";
import { formatFor } from "../terminal/format.ts";

const options = {
  mode: textOption({ argument: "MODE", fallback: "planner", description: "The mode to ask" }),
  cwd: textOption({ argument: "DIR", description: "Where the command starts; default: here" }),
  root: listOption({
    argument: "DIR",
    separator: ":",
    description: "A directory that the agent may work in; may be repeated; default: --cwd",
  }),
  policy: textOption({
    argument: "FILE",
    description: "A policy file (JSON) on top of the built-in modes",
  }),
  unattended: flagOption({ description: "No one can be asked: ask becomes deny" }),
  stdin: flagOption({ description: "explain: read commands from standard input" }),
  json: jsonOption,
};

type PolicyInvocation = Invocation<typeof options>;

const actions = ["explain", "test"] as const;

function actionFrom(given: string | undefined): (typeof actions)[number] {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  const problem =
    given === undefined
      ? "What about the policy? turnwire policy explain 'COMMAND', or turnwire policy test FILE"
      : `turnwire policy cannot "${given}".${didYouMean(given, actions)}`;
  throw new CliError("usage", problem);
}

async function explain(question: Question, invocation: PolicyInvocation): Promise<number> {
  const { values, stdin, stdout, env, positionals } = invocation;
  const words = positionals.slice(1);
  if (values.stdin) {
    if (words.length > 0) throw new CliError("usage", "Give a command or --stdin, not both.");
    let code: number = exitCode.ok;
    const lines = createInterface({ input: stdin, crlfDelay: Infinity });
    for await (const { text, isValid } of answerLines(lines, question)) {
      stdout.write(`${text}\n`);
      if (!isValid) code = exitCode.usage;
    }
    return code;
  }
  const command = commandFrom(words);
  const evaluation = question.ask(command);
  const { mode } = question.context;
  if (values.json) stdout.write(`${JSON.stringify({ command, mode, ...evaluation })}\n`);
  else {
    const lines = explanationLines(evaluation, question, formatFor(stdout, env));
    stdout.write(`${lines.join("\n")}\n`);
  }
  return verdictExitCode[evaluation.verdict];
}

function runTests(question: Question, invocation: PolicyInvocation): number {
  const { values, stdout, cwd, positionals } = invocation;
  const [, file, surplus] = positionals;
  if (file === undefined || surplus !== undefined) {
    throw new CliError("usage", "Which file? turnwire policy test FILE");
  }
  const expectations = readExpectations(resolve(cwd, file));
  const surprises = surprisesIn(expectations, question);
  const passed = expectations.length - surprises.length;
  if (values.json) stdout.write(`${JSON.stringify({ passed, failed: surprises })}\n`);
  else {
    const lines = surprises.flatMap(surpriseLines);
    stdout.write(`${[...lines, `${passed} as expected, ${surprises.length} not`].join("\n")}\n`);
  }
  return surprises.length === 0 ? exitCode.ok : exitCode.failure;
}

export const policy = defineCommand({
  name: "policy",
  summary: "Ask what a policy says about a command, and test policies",
  usage: [
    "policy explain 'COMMAND' [--mode MODE] [--cwd DIR] [--root DIR] [--json]",
    "policy explain --stdin [--mode MODE]",
    "policy test FILE [--mode MODE]",
  ],
  details:
    'explain ends with 0 for allow, 1 for deny and 4 for ask. With --stdin each line is a command as a JSON string, and each line of the output is {"verdict", "rule", "reason"}; a line that is no JSON string is denied, and the exit code is 2. Built-in modes: planner, implementation, unrestricted. Each line of a test FILE is {"command", "verdict", "mode"?}, the verdict allow, ask, deny, or refused for ask or deny; test ends with 1 when one is not met.',
  options,
  maxPositionals: 1_000,
  examples: [
    {
      command: "turnwire policy explain 'git diff | head' --mode planner",
      meaning: "May a planner run this, and why?",
    },
    {
      command: "turnwire policy explain 'npm test && rm -rf dist' --mode implementation --root .",
      meaning: "What each part of a command would do",
    },
    {
      command: "turnwire policy test commands.jsonl --policy policy.json --mode reviewer",
      meaning: "Check a policy of your own against commands that you know",
    },
  ],
  async run(invocation) {
    const action = actionFrom(invocation.positionals[0]);
    const question = createQuestion(invocation.values, invocation);
    return action === "explain" ? explain(question, invocation) : runTests(question, invocation);
  },
});
