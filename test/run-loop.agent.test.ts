/** `turnwire run` with both real agents: one works, the other reviews, and no one is there. */
import { checkGrammar } from "@turnwire/protocol";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { type CliRun, TestMachine } from "../packages/cli/src/test-support/cli-run.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { loopTask, teachWorkByClaude, teachWorkByCodex } from "./support/loop-scenario.ts";

let pair: AgentPair;
let cwd: string;

beforeAll(async () => {
  pair = await AgentPair.start();
});

beforeEach(() => {
  cwd = pair.newProject();
});

afterAll(() => pair.close());

async function run(...args: readonly string[]): Promise<CliRun> {
  const machine = await TestMachine.create({ TURNWIRE_TOKEN: pair.token });
  onTestFinished(() => machine.remove());
  return machine.run(["run", "--url", pair.url, "--cwd", cwd, ...args]);
}

interface Report {
  readonly outcome: string;
  readonly steps: readonly { readonly session_id: string; readonly text: string }[];
}

async function report(...args: readonly string[]): Promise<CliRun & { readonly report: Report }> {
  const ran = await run(...args, "--output-format", "json");
  if (ran.stdout === "") throw new Error(ran.stderr);
  return { ...ran, report: JSON.parse(ran.stdout) as Report };
}

describe.each([
  { worker: "claude", reviewer: "codex", teach: teachWorkByClaude },
  { worker: "codex", reviewer: "claude", teach: teachWorkByCodex },
])("$worker works, $reviewer reviews", ({ worker, reviewer, teach }) => {
  test("until it passes, with the reviewer's note fed back", async () => {
    teach(pair.agents);
    const path = join(cwd, "greeting.txt");
    const agents = ["--runtime", worker, "--review", reviewer, "--policy-mode", "implementation"];
    const limits = ["--until", "DONE", "--max-minutes", "10", "--max-turns", "10"];
    const { code, report: ran } = await report(loopTask(path), ...agents, ...limits);
    expect(ran.steps).toMatchObject([
      { type: "work", iteration: 1, runtime: worker, text: "I wrote it.\nDONE" },
      { type: "review", iteration: 1, runtime: reviewer, verdict: "FAIL" },
      { type: "work", iteration: 2, runtime: worker, text: "I corrected it.\nDONE" },
      { type: "review", iteration: 2, runtime: reviewer, verdict: "PASS" },
    ]);
    expect({ code, outcome: ran.outcome }).toEqual({ code: 0, outcome: "done" });
    expect(readFileSync(path, "utf8")).toBe("hello\n");
    for (const id of new Set(ran.steps.map(({ session_id }) => session_id))) {
      const { events } = await pair.client.sessions.eventPage(id, { limit: 1000 });
      expect(checkGrammar(events)).toEqual([]);
      expect(await pair.client.sessions.get(id)).toMatchObject({ activity: "idle", cwd });
    }
  });
});

describe.each(["claude", "codex"])("%s alone", (runtime) => {
  test("is refused what its policy mode does not allow, and answers all the same", async () => {
    const path = join(cwd, "never.txt");
    const mode = ["--runtime", runtime, "--policy-mode", "planner"];
    const { code, stderr } = await run(`SCENARIO:write ${path}`, ...mode);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(() => readFileSync(path)).toThrow("ENOENT");
  });

  test("fails with 3 where its model fails", async () => {
    const { code, stderr } = await run("SCENARIO:error 400", "--runtime", runtime);
    expect(code).toBe(3);
    expect(stderr).toContain("scripted 400");
  });

  test("is stopped by the limit of time in the middle of its words", async () => {
    const limit = ["--runtime", runtime, "--max-minutes", "0.01"];
    const { code, report: ran } = await report("SCENARIO:hold never", ...limit);
    expect({ code, outcome: ran.outcome }).toEqual({ code: 5, outcome: "limit_reached" });
    const [step] = ran.steps;
    expect(await pair.client.sessions.get(step?.session_id ?? "")).toMatchObject({
      activity: "idle",
    });
  });
});

test("a limit that Codex cannot count is refused before anything begins", async () => {
  const { code, stderr } = await run("Anything", "--review", "codex", "--max-cost", "1");
  expect(code).toBe(2);
  expect(stderr).toContain("--max-cost cannot hold Codex");
});
