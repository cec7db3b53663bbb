import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RunMachine } from "../test-support/run-machine.ts";

let machine: RunMachine;

beforeEach(async () => {
  machine = await RunMachine.create();
});

afterEach(() => machine.remove());

describe("one turn", () => {
  test("prints the answer and nothing else", async () => {
    const ran = await machine.run(["run", "Mend", "it"]);
    expect(ran).toEqual({ code: 0, stdout: "It is mended.\n", stderr: "" });
    expect(machine.worker.prompts).toEqual(["Mend it"]);
    expect(await machine.sessions()).toMatchObject([{ runtime: "worker", cwd: machine.cwd }]);
  });

  test("prints the final answer, not what was said on the way", async () => {
    const { stdout } = await machine.run(["run", "/tools", "--runtime", "demo"]);
    expect(stdout).toBe("Both tests pass now.\n");
  });

  test("prints an answer whole that is larger than any event", async () => {
    machine.says.work = () => `first ${"x".repeat(1_000_000)} last`;
    const { stdout } = await machine.run(["run", "Write a lot"]);
    expect(stdout).toBe(`${machine.says.work("", 1)}\n`);
  });

  test("reports everything in one object", async () => {
    const { code, report: ran } = await machine.report("Mend it");
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
    expect(machine.worker.prompts).toEqual(["From a file.\n", "From a pipe.", "From a dash."]);
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
    expect(await machine.sessions()).toEqual([]);
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
    machine.says.work = () => undefined;
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
    expect(machine.worker.prompts).toEqual(["Never ends"]);
  });

  test("ends with 3 when its session is deleted", async () => {
    machine.says.work = () => undefined;
    const running = machine.start(["run", "Never ends"]);
    const client = await machine.client();
    await expect.poll(async () => (await machine.sessions())[0]?.activity).toBe("working");
    await client.sessions.delete((await machine.sessions())[0]?.session_id ?? "");
    expect(await running.exited).toBe(3);
  });
});

describe("a session that exists", () => {
  test("is continued by its id, with what is to be different in it", async () => {
    const { report: first } = await machine.report("Mend it");
    const args = ["--session", first.session_id.slice(0, 8), "--policy-mode", "planner"];
    const { report: second } = await machine.report("More", ...args, "--model", "large");
    expect(second.session_id).toBe(first.session_id);
    expect(await machine.sessions()).toMatchObject([{ policy_mode: "planner", model: "large" }]);
  });

  test("is the last one in the directory with --continue", async () => {
    await machine.report("Elsewhere", "--runtime", "reviewer");
    const { report: mine } = await machine.report("Mend it");
    await machine.report("Elsewhere", "--runtime", "reviewer");
    const { report: more } = await machine.report("More", "--continue", "--runtime", "worker");
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
    expect(await machine.sessions()).toEqual([]);
  });
});
