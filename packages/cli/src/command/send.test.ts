import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

describe("turnwire send", () => {
  let machine: TestMachine;
  let stop: () => Promise<number>;

  beforeEach(async () => {
    machine = await TestMachine.create();
    ({ stop } = await machine.serve());
  });

  afterEach(async () => {
    await stop();
    await machine.remove();
  });

  test("waits for the answer and prints it as it was written", async () => {
    const { code, stdout, stderr } = await machine.run(["send", "new", "/tools", "--wait"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      "Let me see whether the tests pass.\n\nOne fails. I know why; once more:\n\nBoth tests pass now.\n",
    );
    expect(stderr).toMatch(/^Session [\w-]+\n$/);
  });

  test("tells a program everything in one object", async () => {
    const { code, stdout } = await machine.run(["send", "new", "/usage", "--wait", "--json"]);
    expect(code).toBe(0);
    expect(stdout.split("\n")).toHaveLength(2);
    expect(JSON.parse(stdout)).toEqual({
      session_id: expect.any(String),
      message_id: expect.any(String),
      seq: expect.any(Number),
      turn_id: expect.any(String),
      outcome: "ok",
      text: "These figures are made up, so that you see where real ones appear.",
      result: expect.objectContaining({ subtype: "success", is_error: false }),
    });
  });

  test("only sends where it is not to wait", async () => {
    const made = JSON.parse((await machine.run(["sessions", "new", "--json"])).stdout) as {
      session_id: string;
    };
    const { code, stdout } = await machine.run([
      "send",
      made.session_id,
      "hello",
      "there",
      "--json",
    ]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      session_id: made.session_id,
      message_id: expect.any(String),
      seq: expect.any(Number),
    });
    const plain = await machine.run(["send", made.session_id.slice(0, 8), "again"]);
    expect(plain.stdout).toBe(`Sent to ${made.session_id}.\n`);
  });

  test("waits for no person where there is none: what is asked is refused", async () => {
    const asking = await machine.run(["send", "new", "/permission", "--wait"]);
    expect(asking.code).toBe(4);
    const { code, stderr } = await machine.run([
      "send",
      "new",
      "/permission",
      "--wait",
      "--unattended",
    ]);
    expect(code).toBe(0);
    expect(stderr).toMatch(/^Session [\w-]+\n$/);
  });

  test("takes the text from a pipe", async () => {
    const options = { input: "line one\nline two\n" };
    const { stdout, code } = await machine.run(["send", "new", "-", "--wait"], options);
    expect(code).toBe(0);
    expect(stdout).toContain("I heard “line one\nline two”.");
  });

  test("continues in the same session", async () => {
    const first = JSON.parse(
      (await machine.run(["send", "new", "hello", "--wait", "--json"])).stdout,
    ) as { session_id: string };
    const { stdout } = await machine.run(["send", first.session_id, "hello again", "--wait"]);
    expect(stdout).toContain("I remember 1 earlier turn of ours.");
  });

  test.each([["/error"], ["/crash"]])("ends with 3 when the turn fails: %s", async (text) => {
    const { code, stderr } = await machine.run(["send", "new", text, "--wait"]);
    expect(code).toBe(3);
    expect(stderr).toContain("The turn failed.");
  });

  test.each([
    ["/permission", "permission to use Bash"],
    ["/question", "an answer: Where shall the data live?"],
    ["/hook", "a decision on the hook PreToolUse"],
    ["/interrupt", "an answer to approval"],
    ["/frontend-tool", "the tool choose_color of a user interface"],
  ])("ends with 4 when the agent waits for a person: %s", async (text, wanted) => {
    const { code, stderr } = await machine.run(["send", "new", text, "--wait"]);
    expect(code).toBe(4);
    expect(stderr).toContain(`The agent waits for ${wanted}. Answer it: turnwire chat `);
    const json = await machine.run(["send", "new", text, "--wait", "--json"]);
    expect(json.code).toBe(4);
    expect(JSON.parse(json.stdout)).toMatchObject({ outcome: "waiting" });
  });

  test.each([[["send"]], [["send", "new"]], [["send", "new", " "]], [["send", "new", "-"]]])(
    "refuses %j: there is nothing to send",
    async (args) => {
      expect((await machine.run(args)).code).toBe(2);
    },
  );
});
