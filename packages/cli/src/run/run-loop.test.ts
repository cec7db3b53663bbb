import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("--until", () => {
  test("works in one session until the agent reports that it is done", async () => {
    machine.says.work = (_prompt, turn) =>
      ["I will say DONE later.", "DONE\nNo, not yet.", "DONE"][turn - 1];
    const { code, report: ran } = await machine.report("Mend it", "--until", "DONE");
    expect(code).toBe(0);
    expect(ran).toMatchObject({ outcome: "done", iterations: 3 });
    expect(new Set(ran.steps.map(({ session_id }) => session_id)).size).toBe(1);
    expect(machine.worker.prompts[0]).toMatch(/^Mend it\n\n/);
    expect(machine.worker.prompts[1]).toMatch(/^Continue with the task\./);
    expect(await machine.sessions()).toMatchObject([{ title: "Mend it" }]);
  });

  test("gives up after --max-iterations", async () => {
    const args = ["run", "Mend it", "--until", "DONE", "--max-iterations", "2"];
    const { code, stdout, stderr } = await machine.run(args);
    expect(code).toBe(6);
    expect(stdout).toBe("It is mended.\n");
    expect(stderr).toMatch(/^The agent did not report that it is done: .*2 is used up/);
    expect(machine.worker.prompts).toHaveLength(2);
  });

  test("with --fresh gives each turn a session of its own, with the task", async () => {
    machine.says.work = (_prompt, turn) => (turn < 2 ? "Half" : "DONE");
    const { report: ran } = await machine.report("Mend it", "--until", "DONE", "--fresh");
    expect(new Set(ran.steps.map(({ session_id }) => session_id)).size).toBe(2);
    expect(machine.worker.prompts[1]).toMatch(/^Mend it\n\nYou are not the first/);
    expect(await machine.sessions()).toMatchObject([
      { title: "Mend it (2)", cwd: machine.cwd },
      { title: "Mend it", cwd: machine.cwd },
    ]);
  });
});

describe("--review", () => {
  test("feeds the reviewer's notes back until it passes", async () => {
    machine.says.review = (_prompt, turn) =>
      turn === 1 ? "The test is missing.\nFAIL" : "Fine.\nPASS";
    const { code, report: ran } = await machine.report("Mend it", "--review", "reviewer");
    expect(code).toBe(0);
    expect(ran.steps).toMatchObject([
      { type: "work", iteration: 1 },
      { type: "review", iteration: 1, verdict: "FAIL" },
      { type: "work", iteration: 2 },
      { type: "review", iteration: 2, verdict: "PASS" },
    ]);
    expect(machine.worker.prompts[1]).toContain("The test is missing.");
    expect(machine.reviewer.prompts[0]).toContain("Mend it");
    expect(machine.reviewer.prompts[0]).toContain("It is mended.");
    expect(await machine.sessions()).toMatchObject([
      { title: "Review 2: Mend it", runtime: "reviewer", policy_mode: "planner" },
      { title: "Mend it", runtime: "worker" },
      { title: "Review 1: Mend it", cwd: machine.cwd },
    ]);
  });

  test.each([["Looks good to me."], ["FAIL\nNo, wait.\nPASS"], [""]])(
    "does not pass without a clear verdict: %j",
    async (verdict) => {
      machine.says.review = () => verdict;
      const args = ["Mend it", "--review", "reviewer", "--max-iterations", "1"];
      const { code, report: ran } = await machine.report(...args);
      expect(code).toBe(6);
      expect(ran.steps.at(-1)).toMatchObject({ type: "review", verdict: "FAIL" });
    },
  );

  test("comes only after the done signal", async () => {
    machine.says.work = (_prompt, turn) => (turn < 2 ? "Half" : "DONE");
    const { report: ran } = await machine.report(
      "Mend it",
      "--until",
      "DONE",
      "--review",
      "reviewer",
    );
    expect(ran.steps.map(({ type }) => type)).toEqual(["work", "work", "review"]);
  });

  test("that fails ends the run with 3", async () => {
    machine.says.review = () => {
      throw new Error("No credit is left.");
    };
    const { code, stderr } = await machine.run(["run", "Mend it", "--review", "reviewer"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The review failed: No credit is left\. Session/);
    expect(machine.worker.prompts).toHaveLength(1);
  });

  test.each([
    [["--review", "elsewhere"], 'There is no runtime "elsewhere"'],
    [["--review", "reviewer", "--review-policy-mode", "nothing"], 'no policy mode "nothing"'],
    [["--runtime", "elsewhere"], 'There is no runtime "elsewhere"'],
    [["--max-tokens", "5"], "--max-tokens cannot hold worker"],
  ])("is refused before anything begins: %j", async (args, reason) => {
    const { code, stderr } = await machine.run(["run", "Mend it", ...args]);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(await machine.sessions()).toEqual([]);
  });
});

describe("a worktree", () => {
  function git(...args: readonly string[]): void {
    const env = { PATH: process.env["PATH"], HOME: machine.home, GIT_CONFIG_NOSYSTEM: "1" };
    const who = ["-c", "user.name=T", "-c", "user.email=t@example.com"];
    execFileSync("git", ["-C", machine.cwd, ...who, ...args], { env });
  }

  test.each([[[]], [["--fresh"]]])("is made once for all agents of a run %j", async (how) => {
    git("init", "--quiet", "--initial-branch=main");
    git("commit", "--quiet", "--allow-empty", "--message", "first");
    machine.says.review = (_prompt, turn) => (turn === 1 ? "FAIL" : "PASS");
    const args = ["Mend it", "--branch", "mended", "--review", "reviewer", ...how];
    const { code, report: ran } = await machine.report(...args);
    expect({ code, steps: ran.steps.length }).toEqual({ code: 0, steps: 4 });
    const client = await machine.client();
    const worktrees = (await client.worktrees.list()).worktrees;
    expect(worktrees).toMatchObject([{ branch: "mended" }]);
    const directories = new Set((await machine.sessions()).map(({ cwd }) => cwd));
    expect([...directories]).toEqual([worktrees[0]?.path]);
  });
});
