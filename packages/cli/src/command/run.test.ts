import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { type SessionInfo, textOf } from "@turnwire/protocol";
import { createDemoRuntime } from "@turnwire/server";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeAddress } from "../server-address.ts";
import { type Reply, AnsweringRuntime } from "../test-support/answering-runtime.ts";
import { type StartedCli, TestMachine } from "../test-support/cli-run.ts";

let machine: TestMachine;
let stop: (() => Promise<number>) | undefined;
let url: string;
let worker: AnsweringRuntime;
let reviewer: AnsweringRuntime;
/** What the agents of a test say. */
let says: { work: Reply; review: Reply };

beforeEach(async () => {
  machine = await TestMachine.create();
  says = { work: () => "It is mended.", review: () => "Fine.\nPASS" };
  worker = new AnsweringRuntime("worker", (prompt, turn) => says.work(prompt, turn));
  reviewer = new AnsweringRuntime("reviewer", (prompt, turn) => says.review(prompt, turn));
  machine.createRuntimes = async () => [worker, reviewer, createDemoRuntime({ delayMs: 0 })];
  ({ stop, url } = await machine.serve("--runtime", "worker"));
});

afterEach(async () => {
  await stop?.();
  await machine.remove();
});

interface Report {
  readonly outcome: string;
  readonly session_id: string;
  readonly iterations: number;
  readonly steps: readonly {
    type: string;
    session_id: string;
    turn_id: string;
    verdict?: string;
    outcome: string;
  }[];
}

async function report(...args: readonly string[]): Promise<{ code: number; report: Report }> {
  const { code, stdout, stderr } = await machine.run(["run", ...args, "--output-format", "json"]);
  if (stdout === "") throw new Error(stderr);
  return { code, report: JSON.parse(stdout) as Report };
}

async function sessions(): Promise<readonly SessionInfo[]> {
  return (await (await machine.client()).sessions.list()).sessions;
}

describe("one turn", () => {
  test("prints the answer and nothing else", async () => {
    const ran = await machine.run(["run", "Mend", "it"]);
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    expect(worker.prompts).toEqual(["Mend it"]);
    expect(await sessions()).toMatchObject([{ runtime: "worker", cwd: machine.cwd }]);
  });

  test("prints the final answer, not what was said on the way", async () => {
    const { stdout } = await machine.run(["run", "/tools", "--runtime", "demo"]);
    expect(stdout).toBe("Both tests pass now.\n");
  });

  test("prints an answer whole that is larger than any event", async () => {
    says.work = () => `first ${"x".repeat(1_000_000)} last`;
    const { stdout } = await machine.run(["run", "Write a lot"]);
    expect(stdout).toBe(`${says.work("", 1)}\n`);
  });

  test("reports everything in one object", async () => {
    const { code, report: ran } = await report("Mend it");
    expect(code).toBe(0);
    const step = {
      type: "work",
      iteration: 1,
      runtime: "worker",
      session_id: expect.any(String),
      turn_id: expect.any(String),
      outcome: "ok",
      text: "It is mended.",
      result: expect.objectContaining({ subtype: "success", is_error: false }),
    };
    expect(ran).toEqual({
      outcome: "done",
      text: "It is mended.",
      session_id: ran.steps[0]?.session_id,
      iterations: 1,
      cost_usd: 0.25,
      steps: [step],
    });
  });

  test("takes the prompt from a file or from a pipe", async () => {
    await writeFile(join(machine.cwd, "task.md"), "From a file.\n");
    expect((await machine.run(["run", "--file", "task.md"])).code).toBe(0);
    expect((await machine.run(["run"], { input: "From a pipe." })).code).toBe(0);
    expect((await machine.run(["run", "-"], { input: "From a dash." })).code).toBe(0);
    expect(worker.prompts).toEqual(["From a file.\n", "From a pipe.", "From a dash."]);
  });

  test("refuses a prompt that is missing, empty, doubled, or no text", async () => {
    await writeFile(join(machine.cwd, "binary"), Buffer.from([0xff, 0xfe, 0x00]));
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    for (const [args, options] of [
      [["run"], { stdin }],
      [["run"], {}],
      [["run", " "], {}],
      [["run", "Mend it", "--file", "task.md"], {}],
      [["run", "--file", "missing.md"], {}],
      [["run", "--file", "."], {}],
      [["run", "--file", "binary"], {}],
    ] as const) {
      const { code, stdout, stderr } = await machine.run(args, options);
      expect({ args, code, stdout, stderr }).toMatchObject({ code: 2, stdout: "" });
    }
    expect(await sessions()).toEqual([]);
  });

  test("asks no one: what the policy mode does not allow is refused", async () => {
    const asked = await machine.run(["run", "/permission", "--runtime", "demo"]);
    expect(asked).toMatchObject({ code: 0, stderr: "" });
    expect(asked.stdout).toContain("No one is there to answer: this turn runs unattended.");
    const freely = ["run", "/permission", "--runtime", "demo", "--policy-mode", "unrestricted"];
    const allowed = await machine.run(freely);
    expect(allowed.stdout).not.toContain("No one is there");
  });

  test("ends with 3 when the turn fails, and says why", async () => {
    const { code, stderr } = await machine.run(["run", "/error", "--runtime", "demo"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The turn failed: The model is overloaded\..* Session [\w-]+\.\n$/);
  });

  test("ends with 3 when somebody stops it or takes the message back", async () => {
    says.work = () => undefined;
    const running = machine.start(["run", "Never ends"]);
    const client = await machine.client();
    const list = client.openSessionList({ activity: "working" });
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (list.getState().sessions.length > 0) resolve();
      };
      list.subscribe(look);
      look();
    });
    const [session] = list.getState().sessions;
    list.close();
    const id = session?.session_id ?? "";
    const waiting = machine.start(["run", "Waits", "--session", id]);
    const opened = client.openSession(id);
    const { session: state } = await opened.waitFor((view) => view.session.queue.length > 0);
    await opened.withdraw(state.queue[0]?.message_id ?? "");
    expect(await waiting.exited).toBe(3);
    await opened.interrupt();
    opened.close();
    expect(await running.exited).toBe(3);
    expect(running.stderr.text).toContain("The turn was stopped.");
    expect(worker.prompts).toEqual(["Never ends"]);
  });

  test("ends with 3 when its session is deleted", async () => {
    says.work = () => undefined;
    const running = machine.start(["run", "Never ends"]);
    const client = await machine.client();
    await expect.poll(async () => (await sessions())[0]?.activity).toBe("working");
    await client.sessions.delete((await sessions())[0]?.session_id ?? "");
    expect(await running.exited).toBe(3);
  });
});

describe("stream-json", () => {
  /** The lines that the server projects for a session, up to the given number of results. */
  async function projected(sessionId: string, results: number): Promise<string[]> {
    const { token } = (await machine.connection()) ?? {};
    const abort = new AbortController();
    const response = await fetch(`${url}/sessions/${sessionId}/events?dialect=stream-json`, {
      headers: { authorization: `Bearer ${token}` },
      signal: abort.signal,
    });
    let text = "";
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString();
      if (text.split("event: result").length > results && text.endsWith("\n\n")) break;
    }
    abort.abort();
    return text.split("\n").flatMap((line) => (line.startsWith("data: ") ? [line.slice(6)] : []));
  }

  test.each(["/tools", "/permission", "/subagents", "/error", "/long 40"])(
    "is what the server projects: %s",
    async (prompt) => {
      const args = ["run", prompt, "--runtime", "demo", "--output-format", "stream-json"];
      const { stdout } = await machine.run(args);
      const lines = stdout.trimEnd().split("\n");
      const { session_id: id = "" } = (await sessions())[0] ?? {};
      expect(lines).toEqual(await projected(id, 1));
    },
  );

  test("has each turn of a loop, and of a continued session only the new one", async () => {
    says.work = (_prompt, turn) => (turn < 3 ? "Half" : "DONE");
    const loop = ["run", "Mend it", "--until", "DONE", "--output-format", "stream-json"];
    const first = (await machine.run(loop)).stdout.trimEnd().split("\n");
    const { session_id: id = "" } = (await sessions())[0] ?? {};
    expect(first).toEqual(await projected(id, 3));
    const again = ["run", "More", "--session", id, "--output-format", "stream-json"];
    const second = (await machine.run(again)).stdout.trimEnd().split("\n");
    expect([...first, ...second]).toEqual(await projected(id, 4));
  });
});

describe("--until", () => {
  test("works in one session until the agent reports that it is done", async () => {
    says.work = (_prompt, turn) =>
      ["I will say DONE later.", "DONE\nNo, not yet.", "DONE"][turn - 1];
    const { code, report: ran } = await report("Mend it", "--until", "DONE");
    expect(code).toBe(0);
    expect(ran).toMatchObject({ outcome: "done", iterations: 3 });
    expect(new Set(ran.steps.map(({ session_id }) => session_id)).size).toBe(1);
    expect(worker.prompts[0]).toMatch(/^Mend it\n\n/);
    expect(worker.prompts[1]).toMatch(/^Continue with the task\./);
    expect(await sessions()).toMatchObject([{ title: "Mend it" }]);
  });

  test("gives up after --max-iterations", async () => {
    const args = ["run", "Mend it", "--until", "DONE", "--max-iterations", "2"];
    const { code, stdout, stderr } = await machine.run(args);
    expect(code).toBe(6);
    expect(stdout).toBe("It is mended.\n");
    expect(stderr).toMatch(/^The agent did not report that it is done: .*2 is used up/);
    expect(worker.prompts).toHaveLength(2);
  });

  test("with --fresh gives each turn a session of its own, with the task", async () => {
    says.work = (_prompt, turn) => (turn < 2 ? "Half" : "DONE");
    const { report: ran } = await report("Mend it", "--until", "DONE", "--fresh");
    expect(new Set(ran.steps.map(({ session_id }) => session_id)).size).toBe(2);
    expect(worker.prompts[1]).toMatch(/^Mend it\n\nYou are not the first/);
    expect(await sessions()).toMatchObject([
      { title: "Mend it (2)", cwd: machine.cwd },
      { title: "Mend it", cwd: machine.cwd },
    ]);
  });
});

describe("--review", () => {
  test("feeds the reviewer's notes back until it passes", async () => {
    says.review = (_prompt, turn) => (turn === 1 ? "The test is missing.\nFAIL" : "Fine.\nPASS");
    const { code, report: ran } = await report("Mend it", "--review", "reviewer");
    expect(code).toBe(0);
    expect(ran.steps).toMatchObject([
      { type: "work", iteration: 1 },
      { type: "review", iteration: 1, verdict: "FAIL" },
      { type: "work", iteration: 2 },
      { type: "review", iteration: 2, verdict: "PASS" },
    ]);
    expect(worker.prompts[1]).toContain("The test is missing.");
    expect(reviewer.prompts[0]).toContain("Mend it");
    expect(reviewer.prompts[0]).toContain("It is mended.");
    expect(await sessions()).toMatchObject([
      { title: "Review 2: Mend it", runtime: "reviewer", policy_mode: "planner" },
      { title: "Mend it", runtime: "worker" },
      { title: "Review 1: Mend it", cwd: machine.cwd },
    ]);
  });

  test.each([["Looks good to me."], ["FAIL\nNo, wait.\nPASS"], [""]])(
    "does not pass without a clear verdict: %j",
    async (verdict) => {
      says.review = () => verdict;
      const args = ["Mend it", "--review", "reviewer", "--max-iterations", "1"];
      const { code, report: ran } = await report(...args);
      expect(code).toBe(6);
      expect(ran.steps.at(-1)).toMatchObject({ type: "review", verdict: "FAIL" });
    },
  );

  test("comes only after the done signal", async () => {
    says.work = (_prompt, turn) => (turn < 2 ? "Half" : "DONE");
    const { report: ran } = await report("Mend it", "--until", "DONE", "--review", "reviewer");
    expect(ran.steps.map(({ type }) => type)).toEqual(["work", "work", "review"]);
  });

  test("that fails ends the run with 3", async () => {
    says.review = () => {
      throw new Error("No credit is left.");
    };
    const { code, stderr } = await machine.run(["run", "Mend it", "--review", "reviewer"]);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^The review failed: No credit is left\. Session/);
    expect(worker.prompts).toHaveLength(1);
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
    expect(await sessions()).toEqual([]);
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
    says.review = (_prompt, turn) => (turn === 1 ? "FAIL" : "PASS");
    const args = ["Mend it", "--branch", "mended", "--review", "reviewer", ...how];
    const { code, report: ran } = await report(...args);
    expect({ code, steps: ran.steps.length }).toEqual({ code: 0, steps: 4 });
    const client = await machine.client();
    const worktrees = (await client.worktrees.list()).worktrees;
    expect(worktrees).toMatchObject([{ branch: "mended" }]);
    const directories = new Set((await sessions()).map(({ cwd }) => cwd));
    expect([...directories]).toEqual([worktrees[0]?.path]);
  });
});

describe("a limit", () => {
  /** What a session looks like for whoever opens it after the run. */
  async function afterwards(): Promise<{ activity: string | undefined; budget: unknown }> {
    const [info] = await sessions();
    const { state } = await (await machine.client()).sessions.snapshot(info?.session_id ?? "");
    return { activity: info?.activity, budget: state.session.budget?.allowed };
  }

  test("of turns ends the run with 5, reviews included", async () => {
    says.review = () => "FAIL";
    const args = ["Mend it", "--review", "reviewer", "--max-turns", "3"];
    const { code, report: ran } = await report(...args);
    expect(code).toBe(5);
    expect(ran).toMatchObject({ outcome: "limit_reached", reached: ["turns"] });
    expect(ran.steps.map(({ type }) => type)).toEqual(["work", "review", "work"]);
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("of cost holds for all turns together, in whatever session", async () => {
    const args = ["Mend it", "--until", "DONE", "--fresh", "--max-cost", "0.6"];
    const { code, report: ran } = await report(...args);
    expect(code).toBe(5);
    expect(ran).toMatchObject({ reached: ["cost_usd"], iterations: 3, cost_usd: 0.75 });
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("of minutes stops the running turn", async () => {
    says.work = () => undefined;
    const { code, report: ran } = await report("Never ends", "--max-minutes", "0.002");
    expect(code).toBe(5);
    expect(ran).toMatchObject({ outcome: "limit_reached", reached: ["minutes"] });
    expect(await afterwards()).toEqual({ activity: "idle", budget: undefined });
  });

  test("does not replace the budget that a session has", async () => {
    const client = await machine.client();
    const { session_id: id } = await client.sessions.create({
      runtime: "worker",
      cwd: machine.cwd,
      budget: { turns: 5, cost_usd: 0.5 },
    });
    const run = ["run", "Mend it", "--session", id, "--max-cost", "9"];
    expect((await machine.run(run)).code).toBe(0);
    expect(await afterwards()).toEqual({ activity: "idle", budget: { turns: 5, cost_usd: 0.5 } });
    expect((await machine.run(run)).code).toBe(0);
    const { code, stderr } = await machine.run(run);
    expect(code).toBe(5);
    expect(stderr).toContain("A limit was reached: cost_usd");
  });
});

describe("a signal", () => {
  test("stops the turn; the session can be used again", async () => {
    says.work = () => undefined;
    const running = machine.start(["run", "Never ends", "--output-format", "json"]);
    await expect.poll(() => worker.prompts.length).toBe(1);
    running.signal("SIGINT");
    expect(await running.exited).toBe(130);
    expect(running.exits).toEqual([]);
    expect(JSON.parse(running.stdout.text)).toMatchObject({ outcome: "stopped" });
    expect(await sessions()).toMatchObject([{ activity: "idle" }]);
    says.work = () => "Again.";
    expect((await machine.run(["run", "More", "--continue"])).stdout).toBe("Again.\n");
    expect(await sessions()).toHaveLength(1);
  });

  test("prints the lines of a stopped turn to their end", async () => {
    says.work = () => undefined;
    const running = machine.start(["run", "Never ends", "--output-format", "stream-json"]);
    await running.stdout.until(/"isReplay":true/);
    running.signal("SIGTERM");
    expect(await running.exited).toBe(143);
    const lines = running.stdout.text.trimEnd().split("\n");
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ type: "result", is_error: true });
  });

  test("takes back a message that waits for its turn", async () => {
    says.work = () => undefined;
    const first = machine.start(["run", "Never ends"]);
    await expect.poll(() => worker.prompts.length).toBe(1);
    const [session] = await sessions();
    const second = machine.start(["run", "Waits", "--session", session?.session_id ?? ""]);
    const client = await machine.client();
    const opened = client.openSession(session?.session_id ?? "");
    await opened.waitFor((view) => view.session.queue.length === 1);
    second.signal("SIGINT");
    expect(await second.exited).toBe(130);
    await opened.waitFor((view) => view.session.queue.length === 0);
    opened.close();
    first.signal("SIGINT");
    expect(await first.exited).toBe(130);
    expect(worker.prompts).toEqual(["Never ends"]);
  });

  test("ends the program at once when it comes twice", async () => {
    says.work = () => undefined;
    const running = machine.start(["run", "Never ends"]);
    await expect.poll(() => worker.prompts.length).toBe(1);
    running.signal("SIGINT");
    running.signal("SIGINT");
    expect(running.exits).toEqual([130]);
    expect(await running.exited).toBe(130);
  });

  test("between two turns lets no other begin", async () => {
    const running = machine.start(["run", "Mend it", "--until", "DONE"]);
    says.work = () => {
      running.signal("SIGINT");
      return "Half";
    };
    expect(await running.exited).toBe(130);
    expect(worker.prompts).toHaveLength(1);
  });
});

describe("a session that exists", () => {
  test("is continued by its id, with what is to be different in it", async () => {
    const { report: first } = await report("Mend it");
    const args = ["--session", first.session_id.slice(0, 8), "--policy-mode", "planner"];
    const { report: second } = await report("More", ...args, "--model", "large");
    expect(second.session_id).toBe(first.session_id);
    expect(await sessions()).toMatchObject([{ policy_mode: "planner", model: "large" }]);
  });

  test("is the last one in the directory with --continue", async () => {
    await report("Elsewhere", "--runtime", "reviewer");
    const { report: mine } = await report("Mend it");
    await report("Elsewhere", "--runtime", "reviewer");
    const { report: more } = await report("More", "--continue", "--runtime", "worker");
    expect(more.session_id).toBe(mine.session_id);
    const none = await machine.run(["run", "More", "--continue", "--cwd", machine.home]);
    expect(none.code).toBe(1);
    expect(none.stderr).toContain(`There is no session in ${machine.home} to continue.`);
  });

  test("is not mixed up with new ones: contradictions are refused", async () => {
    for (const args of [
      ["--session", "abcd", "--continue"],
      ["--continue", "--fresh"],
      ["--session", "abcd", "--runtime", "worker"],
      ["--session", "abcd", "--cwd", "."],
      ["--continue", "--worktree"],
      ["--continue", "--title", "Mine"],
      ["--max-iterations", "3"],
      ["--review-model", "large"],
      ["--review-policy-mode", "planner"],
      ["--until", "two\nlines"],
      ["--max-minutes", "0"],
      ["--max-cost", "-1"],
      ["--max-turns", "0"],
      ["--output-format", "xml"],
    ]) {
      const { code, stderr } = await machine.run(["run", "Mend it", ...args]);
      expect({ args, code, stderr }).toMatchObject({
        code: 2,
        stderr: expect.stringMatching(/^turnwire: /),
      });
    }
    expect(await sessions()).toEqual([]);
  });
});

describe("progress", () => {
  function terminal(): PassThrough & { isTTY: boolean; columns: number } {
    return Object.assign(new PassThrough(), { isTTY: true, columns: 40 });
  }

  test("is shown on a terminal, with a link to each session; the answer still goes to a pipe", async () => {
    const stderr = terminal();
    const { code, stdout } = await machine.run(["run", "Mend it", "--review", "reviewer"], {
      stderr,
      env: { NO_COLOR: "1" },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: "It is mended.\n" });
    const shown = String(stderr.read());
    for (const { session_id } of await sessions()) {
      expect(shown.split("\n")).toContain(`${url}/s/${session_id}`);
    }
    expect(shown).toContain("It is mended.");
    expect(shown).toContain("PASS");
  });

  test("has shown the answer where both are terminals: it is not printed twice", async () => {
    const stdout = terminal();
    const stderr = terminal();
    await machine.run(["run", "Mend it"], { stdout, stderr });
    expect(stdout.read()).toBeNull();
    expect(String(stderr.read()).match(/It is mended\./g)).toHaveLength(1);
  });
});

describe("without a server", () => {
  const env = { TURNWIRE_STORE: "sqlite", TURNWIRE_RUNTIME: "worker" };

  beforeEach(async () => {
    await stop?.();
    stop = undefined;
  });

  test("the run has one of its own, and its sessions stay", async () => {
    const ran = await machine.run(["run", "Mend it", "--review", "reviewer"], { env });
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    const more = ["run", "More", "--continue", "--runtime", "worker"];
    expect((await machine.run(more, { env })).code).toBe(0);
    expect(worker.prompts.at(-1)).toBe("More");
  });

  /** Two runs at work, of which the first has brought the server. */
  async function startTwo(): Promise<{ first: StartedCli; second: StartedCli }> {
    says.work = () => undefined;
    const first = machine.start(["run", "First"], { env });
    await expect.poll(() => worker.prompts).toEqual(["First"]);
    const second = machine.start(["run", "Second"], { env });
    await expect.poll(() => worker.prompts).toEqual(["First", "Second"]);
    return { first, second };
  }

  async function stopSession(prompt: string): Promise<void> {
    const client = await machine.client();
    for (const { session_id: id } of await sessions()) {
      const { state } = await client.sessions.snapshot(id);
      const isRight = state.messages.some((message) => textOf(message) === prompt);
      if (isRight) await client.sessions.stop(id);
    }
  }

  test("a run keeps its server until the others that use it are done", async () => {
    const { first, second } = await startTwo();
    await stopSession("First");
    await first.stderr.until(/stopped/);
    await stopSession("Second");
    expect(await second.exited).toBe(3);
    expect(await first.exited).toBe(3);
    expect(second.stderr.text).toMatch(/^The turn was stopped\. Session [\w-]+\.\n$/);
  });

  test("a signal ends the wait for others", async () => {
    const { first, second } = await startTwo();
    await stopSession("First");
    await first.stderr.until(/stopped/);
    first.signal("SIGINT");
    expect(await first.exited).toBe(130);
    second.signal("SIGINT");
    // Its turn may have been stopped with the server.
    expect([3, 130]).toContain(await second.exited);
  });

  test("a run whose server goes away before it has begun brings its own", async () => {
    const leaving = createServer((request, response) => {
      if (request.url === "/health") response.end('{"status":"ok","version":"1"}');
      else {
        request.socket.destroy();
        leaving.close();
      }
    });
    leaving.listen(0, "127.0.0.1");
    await once(leaving, "listening");
    const { port } = leaving.address() as AddressInfo;
    await writeAddress(machine.dataDirectory, {
      url: `http://127.0.0.1:${port}`,
      pid: process.pid,
    });
    const ran = await machine.run(["run", "Mend it"], { env });
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    expect(leaving.listening).toBe(false);
  });
});
