import { resolve } from "node:path";
import { createInterface } from "node:readline";
import { CliError, exitCode } from "../error/cli-error.ts";
import { defineCommand, type Invocation } from "../program/command.ts";
import { dataDirectoryFrom } from "../configuration/configuration.ts";
import { answerLines, commandFrom, explanationLines, verdictExitCode } from "../policy/explain.ts";
import { readExpectations, surpriseLines, surprisesIn } from "../policy/expectation.ts";
import { openPolicy, type PolicyAccess } from "../policy/policy-access.ts";
import { createQuestion, type Question } from "../policy/question.ts";
import { countsOf, replayedCalls, replayLines } from "../policy/replay.ts";
import { modeLines, ruleFrom, ruleLines, ruleText } from "../policy/rule-list.ts";
import { connect } from "../connection/server-address.ts";
import { presentEvents } from "../session/session-events.ts";
import { findSession } from "../session/session-selection.ts";
import { didYouMean } from "../error/suggestion.ts";
import { formatFor } from "../terminal/format.ts";

type PolicyInvocation = Invocation<"policy">;

const actions = ["explain", "test", "modes", "rules", "allow", "revoke", "replay"] as const;
type Action = (typeof actions)[number];

function actionFrom(given: string | undefined): Action {
  const action = actions.find((candidate) => candidate === given);
  if (action) return action;
  const problem =
    given === undefined
      ? `What about the policy? turnwire policy explain 'COMMAND', or ${actions.slice(1).join(", ")}; see turnwire help policy`
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

/** What was done with a policy, as JSON values or as lines. */
interface Outcome {
  readonly records: readonly object[];
  readonly lines: readonly string[];
}

async function perform(
  action: "modes" | "rules" | "allow" | "revoke",
  policy: PolicyAccess,
  invocation: PolicyInvocation,
): Promise<Outcome> {
  const { values, positionals, cwd, stdout, env } = invocation;
  const format = formatFor(stdout, env);
  const words = positionals.slice(1);
  switch (action) {
    case "modes": {
      const path = resolve(cwd, values.cwd ?? ".");
      const info = await policy.get(values.cwd === undefined ? {} : { path });
      return { records: info.modes, lines: modeLines(info, format) };
    }
    case "rules": {
      const { rules } = await policy.get();
      return { records: rules, lines: ruleLines(rules, format) };
    }
    case "allow": {
      const rule = await policy.addRule(ruleFrom(values, words, cwd));
      const note = `From now on allowed: ${ruleText(rule)} (${rule.id}). Take it back: turnwire policy revoke ${rule.id}`;
      return { records: [rule], lines: [note] };
    }
    case "revoke": {
      const [id, surplus] = words;
      if (id === undefined || surplus !== undefined) {
        throw new CliError(
          "usage",
          "Which rule? turnwire policy revoke ID; see turnwire policy rules",
        );
      }
      await policy.removeRule(id);
      return { records: [], lines: [`The rule ${id} holds no more.`] };
    }
  }
}

async function manage(
  action: "modes" | "rules" | "allow" | "revoke",
  invocation: PolicyInvocation,
): Promise<number> {
  const { values, stdout } = invocation;
  const policy = await openPolicy(values, invocation);
  try {
    const { records, lines } = await perform(action, policy, invocation);
    const texts = values.json ? records.map((record) => JSON.stringify(record)) : lines;
    for (const text of texts) stdout.write(`${text}\n`);
    return exitCode.ok;
  } finally {
    policy.close();
  }
}

async function replay(invocation: PolicyInvocation): Promise<number> {
  const { values, positionals, stdout, env } = invocation;
  const [, given, surplus] = positionals;
  if (given === undefined || surplus !== undefined) {
    throw new CliError("usage", "Missing session id. Usage: turnwire policy replay SESSION");
  }
  const dataDirectory = dataDirectoryFrom(values.data, invocation);
  const client = await connect({ url: values.url, dataDirectory, env });
  const { session_id: id, policy_mode, cwd = invocation.cwd } = await findSession(client, given);
  const question = await createQuestion(
    { ...values, mode: values.mode ?? policy_mode ?? undefined, cwd: values.cwd ?? cwd },
    invocation,
  );
  const calls = await replayedCalls(presentEvents(client, id), question.context);
  const { mode } = question.context;
  const lines = values.json
    ? [...calls.map((call) => JSON.stringify(call)), JSON.stringify({ mode, ...countsOf(calls) })]
    : [...replayLines(calls, mode, formatFor(stdout, env)), ...question.remarks];
  for (const line of lines) stdout.write(`${line}\n`);
  return exitCode.ok;
}

export const policy = defineCommand({
  name: "policy",
  summary: "Ask what a policy says, test it, and manage its modes and your rules",
  usage: [
    "policy explain 'COMMAND' [--mode MODE] [--cwd DIR] [--root DIR] [--json]",
    "policy explain --stdin [--mode MODE]",
    "policy test FILE [--mode MODE]",
    "policy modes [--cwd DIR]",
    "policy rules",
    "policy allow WORDS | --tool NAME | --path PATH [--write] | --host HOST",
    "policy revoke ID",
    "policy replay SESSION [--mode MODE]",
  ],
  details:
    'explain ends with 0 for allow, 1 for deny and 4 for ask. With --stdin each line is a command as a JSON string, and each line of the output is {"verdict", "rule", "reason"}; a line that is not a JSON string is denied, and the exit code is 2. Built-in modes: planner, implementation, unrestricted; more come from policy.json in the data directory and from .turnwire/policy.json of trusted projects. Each line of a test FILE is {"command", "verdict", "mode"?}, the verdict allow, ask, deny, or refused for ask or deny; test ends with 1 when one is not met. allow adds a rule of your own: it allows what would be asked, never what is denied, at once and also in running sessions; revoke takes it back. replay shows what a policy would have done in a session. modes, rules, allow and revoke work with and without a running server.',
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
    {
      command: "turnwire policy allow --mode planner -- npm test",
      meaning: "Let planners run the tests without asking",
    },
    {
      command: "turnwire policy replay 3f2a91c0 --mode planner",
      meaning: "What would a planner not have been allowed to do in this session?",
    },
  ],
  async run(invocation) {
    const action = actionFrom(invocation.positionals[0]);
    switch (action) {
      case "explain":
        return explain(await createQuestion(invocation.values, invocation), invocation);
      case "test":
        return runTests(await createQuestion(invocation.values, invocation), invocation);
      case "replay":
        return replay(invocation);
      case "modes":
      case "rules":
      case "allow":
      case "revoke":
        return manage(action, invocation);
    }
  },
});
