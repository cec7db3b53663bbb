/** How long one verdict takes: for ordinary commands beside their parser alone, and for commands made to take long. */
import { readFileSync } from "node:fs";
import { defaultPolicy, evaluateCommand } from "@turnwire/policy";
import { realPath } from "@turnwire/policy/file-system";
import { parse } from "unbash";
import { percentile, publish, round, type Row } from "./report.ts";

const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
const policy = defaultPolicy();
const facts = { cwd: root, roots: [root], home: "/home/me", realPath };
const rounds = 20;

function commandsOf(mode: string): readonly string[] {
  const corpus = `../packages/policy/src/test-support/corpus/${mode}.jsonl`;
  const lines = readFileSync(new URL(corpus, import.meta.url), "utf8")
    .split("\n")
    .filter(Boolean);
  // Written by us: one command per line.
  return lines.map((line) => (JSON.parse(line) as { command: string }).command);
}

/** CPU time of this process so far, in microseconds: neighbours of a busy machine do not count. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return user + system;
}

/** Microseconds of each call, sorted, after a round that warms up. */
function timesOf(commands: readonly string[], run: (command: string) => unknown): number[] {
  for (const command of commands) run(command);
  const times = Array.from({ length: rounds }).flatMap(() =>
    commands.map((command) => {
      const before = cpuTime();
      run(command);
      return cpuTime() - before;
    }),
  );
  return times.toSorted((left, right) => left - right);
}

function rowOf(commands: string, way: string, times: readonly number[]): Row {
  return {
    commands,
    way,
    "p50, CPU µs": round(percentile(times, 0.5), 1),
    "p99, CPU µs": round(percentile(times, 0.99), 1),
    "p99.9, CPU µs": round(percentile(times, 0.999), 1),
  };
}

function ordinary(mode: string): Row[] {
  const commands = commandsOf(mode);
  const name = `${commands.length} of the corpus, ${mode}`;
  return [
    rowOf(
      name,
      "verdict",
      timesOf(commands, (command) => evaluateCommand(command, { policy, mode, facts })),
    ),
    rowOf(
      name,
      "parser alone",
      timesOf(commands, (command) => parse(command)),
    ),
  ];
}

const long: Readonly<Record<string, string>> = {
  "3,000 commands joined by &&": Array.from({ length: 3_000 }, () => "echo hi").join(" && "),
  "3,000 commands in lines": "true\n".repeat(3_000),
  "3,000 commands in a pipe": Array.from({ length: 3_000 }, () => "cat").join(" | "),
  "a text of 1 MB in quotes": `echo '${"a".repeat(1_048_576)}'`,
  "a text of 60 kB in quotes": `echo '${"a".repeat(60_000)}'`,
  "30,000 words": `echo ${"a ".repeat(30_000)}`,
  "2,000 substitutions in each other": "$(".repeat(2_000) + ")".repeat(2_000),
  "59 substitutions in each other": `${"echo $(".repeat(59)}ls${")".repeat(59)}`,
  "30,000 quotes in a word": `"'`.repeat(15_000),
  "20,000 times if": "if ".repeat(20_000),
  "6,000 times case": "case a in ".repeat(6_000),
  "six loops in each other": `${"for a in 1 2 3 4 5 6 7 8; do ".repeat(6)}ls;${" done;".repeat(6)}`,
  "30,000 additions": `echo $((${"1+".repeat(30_000)}1))`,
  "12,000 tests": `[[ ${"a && ".repeat(12_000)}a ]]`,
  "400 paths": `cat ${Array.from({ length: 400 }, (_, index) => `src/${index}/x`).join(" ")}`,
};

function longest([name, command]: [string, string]): Row {
  const run = (): string =>
    evaluateCommand(command, { policy, mode: "implementation", facts }).verdict;
  const times = timesOf([command], run);
  return {
    command: name,
    verdict: run(),
    "median, CPU ms": round(percentile(times, 0.5) / 1_000, 2),
    "longest of 20, CPU ms": round((times.at(-1) ?? Number.NaN) / 1_000, 2),
  };
}

publish("policy", [
  {
    title: "One verdict, each command 20 times",
    rows: ["planner", "implementation"].flatMap(ordinary),
  },
  { title: "Commands made to take long", rows: Object.entries(long).map(longest) },
]);
