/** The cost of a command that the kernel holds to a policy mode, compared with the bare command. */
import { spawnSync } from "node:child_process";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import {
  type ConfinementNeed,
  containmentStatus,
  SessionContainment,
} from "@turnwire/runtime/containment";
import { defaultPolicy, guardedPaths, modeOf } from "@turnwire/policy";
import { entries, realPath } from "@turnwire/policy/file-system";
import { percentile, publish, round, type Row } from "./report.ts";

const root = realpathSync(new URL("..", import.meta.url).pathname);
const rounds = 60;
const { containment, problem } = containmentStatus();
if (!containment) throw new Error(problem);

const place = { roots: [root], home: homedir(), realPath, entries, rules: [] };
const need: ConfinementNeed = {
  key: "planner",
  writes: "nothing",
  reads: "inside",
  roots: [root],
  ...guardedPaths(modeOf(defaultPolicy(), "planner"), place),
};
const options = { env: process.env, home: homedir(), privatePaths: [] };
const session = new SessionContainment(containment, options);

async function lineOf(command: string): Promise<string> {
  const hold = await session.prepare(need);
  const line = hold?.contain({ command, cwd: root, network: false });
  if (line === undefined) throw new Error("The command cannot be held.");
  return line;
}

function run(line: string): number {
  const before = performance.now();
  const { status } = spawnSync("/bin/bash", ["-c", line], { cwd: root });
  if (status !== 0) throw new Error(`It ended with ${status}.`);
  return performance.now() - before;
}

const sorted = (times: readonly number[]): number[] => times.toSorted((a, b) => a - b);

async function rowOf(command: string): Promise<Row> {
  const times = { bare: [] as number[], held: [] as number[], made: [] as number[] };
  for (let index = 0; index < rounds; index += 1) {
    times.bare.push(run(command));
    const before = performance.now();
    const line = await lineOf(command);
    times.made.push(performance.now() - before);
    times.held.push(run(line));
  }
  const [bare, held, made] = [times.bare, times.held, times.made].map(sorted);
  if (!bare || !held || !made) throw new Error("Nothing was measured.");
  const middle = percentile(held, 0.5) + percentile(made, 0.5);
  return {
    command,
    "bare, ms": round(percentile(bare, 0.5), 1),
    "held, ms": round(percentile(held, 0.5), 1),
    "looking up, ms": round(percentile(made, 0.5), 1),
    ratio: round(middle / percentile(bare, 0.5), 2),
  };
}

const before = performance.now();
await lineOf("true");
const first = round(performance.now() - before, 0);
const rows: Row[] = [];
for (const command of [
  "true",
  "git status --short",
  "node --version",
  "grep -rl bubblewrap docs",
]) {
  rows.push(await rowOf(command));
}
publish("containment", [
  { title: `Commands under planner, medians of ${rounds}; the first look took ${first} ms`, rows },
]);
