import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TestMachine } from "../test-support/cli-run.ts";

describe("turnwire policy", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  const explain = (...args: readonly string[]) => machine.run(["policy", "explain", ...args]);

  test("explains a verdict for people, with its rule, and ends with a code for each", async () => {
    const allowed = await explain("ls -la | head", "--mode", "planner");
    expect([allowed.code, allowed.stdout]).toEqual([
      0,
      expect.stringMatching(/^allow by the rule/),
    ]);
    const denied = await explain("ls; rm -rf /", "--mode", "implementation");
    expect(denied.code).toBe(1);
    expect(denied.stdout).toMatch(/^deny by the rule system-files\n {2}rm -rf \/: it writes \//);
    expect(denied.stdout).toContain("Found in it\n  allow ls");
    expect(denied.stdout).toContain(`roots ${machine.home}`);
    const asked = await explain("curl https://example.com");
    expect([asked.code, asked.stdout]).toEqual([4, expect.stringMatching(/^ask .*network\.other/)]);
    expect((await explain("curl https://example.com", "--unattended")).code).toBe(1);
  });

  test("takes the place from --cwd and --root, and says when it does not exist", async () => {
    const inside = ["--mode", "implementation", "--cwd", "/srv/app", "--root", "/srv/app"];
    expect((await explain("touch /srv/app/x", ...inside)).code).toBe(0);
    expect((await explain("touch /srv/other/x", ...inside)).code).toBe(4);
    expect((await explain("ls", ...inside)).stdout).toContain("/srv/app does not exist");
  });

  test("gives programs one object with --json", async () => {
    const { stdout } = await explain("git push --force", "--mode", "implementation", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      command: "git push --force",
      mode: "implementation",
      verdict: "deny",
      rule: "git_overwrite",
      policy_version: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
  });

  test("answers each line of --stdin, denies a line that is not a string, and keeps their order", async () => {
    const input = `${['"ls"', '"rm -rf /"', "{", "7", '"echo \\u001b[2J"'].join("\n")}\n`;
    const { code, stdout } = await machine.run(["policy", "explain", "--stdin"], { input });
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(answers.map(({ verdict }) => verdict)).toEqual(["allow", "deny", "deny", "deny", "ask"]);
    expect(answers[2]).toEqual({
      verdict: "deny",
      rule: "invalid_input",
      reason: "line 3 is not one JSON string",
    });
    expect(Object.keys(answers[0])).toEqual(["verdict", "rule", "reason"]);
    expect(stdout).not.toContain("\u001b");
    expect(code).toBe(2);
  });

  test("tests a policy of one's own against commands that are known", async () => {
    const policy = join(machine.home, "policy.json");
    await writeFile(
      policy,
      JSON.stringify({
        version: 1,
        modes: { reviewer: { extends: "planner", actions: { project_code: "allow" } } },
      }),
    );
    const file = join(machine.home, "cases.jsonl");
    const cases = [
      { command: "npm test", verdict: "allow" },
      { command: "npm test", verdict: "refused", mode: "planner" },
      { command: "rm x", verdict: "deny" },
    ];
    await writeFile(file, cases.map((line) => `${JSON.stringify(line)}\n`).join(""));
    const args = ["policy", "test", file, "--policy", policy, "--mode", "reviewer"];
    const fine = await machine.run(args);
    expect([fine.code, fine.stdout]).toEqual([0, "3 as expected, 0 not\n"]);
    await writeFile(file, `${JSON.stringify({ command: "rm x", verdict: "allow" })}\n`);
    const surprised = await machine.run(args);
    expect(surprised.code).toBe(1);
    expect(surprised.stdout).toMatch(/^line 1: expected allow, is deny by write\.inside: rm x\n/);
    const [answer] = (await machine.run([...args, "--json"])).stdout.split("\n");
    expect(JSON.parse(answer ?? "")).toMatchObject({ passed: 0, failed: [{ line: 1 }] });
  });

  test.each([
    [["policy"], "What about the policy?"],
    [["policy", "explian"], "Did you mean explain?"],
    [["policy", "explain"], "Which command?"],
    [["policy", "explain", "ls", "-la", "x"], "Unknown option -l"],
    [["policy", "explain", "ls", "x"], "must be one argument"],
    [["policy", "explain", "ls", "--stdin"], "not both"],
    [
      ["policy", "explain", "ls", "--mode", "nothing"],
      'There is no mode "nothing". There are: planner',
    ],
    [["policy", "explain", "ls", "--policy", "none.json"], "none.json cannot be used"],
    [["policy", "test"], "Which file?"],
    [["policy", "test", "none.jsonl"], "none.jsonl cannot be read"],
  ])("says what is wrong with %j", async (args, sentence) => {
    const { code, stderr } = await machine.run(args);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  test("names every problem of a broken policy file and of a broken test file", async () => {
    const policy = join(machine.home, "policy.json");
    await writeFile(
      policy,
      JSON.stringify({ version: 2, modes: { x: { actions: { a: "allow" } } } }),
    );
    const broken = await explain("ls", "--policy", policy);
    expect(broken.code).toBe(2);
    expect(broken.stderr).toContain("version:");
    expect(broken.stderr).toContain("modes.x.actions");
    const file = join(machine.home, "cases.jsonl");
    await writeFile(file, '{"command":"ls","verdict":"allow"}\n{"command":"ls"}\n');
    const { code, stderr } = await machine.run(["policy", "test", file]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("Line 2 of")]);
  });
});
