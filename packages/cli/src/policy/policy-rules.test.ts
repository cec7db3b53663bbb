import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestMachine } from "../test-support/cli-run.ts";

let machine: TestMachine;
beforeEach(async () => {
  machine = await TestMachine.create();
  // Whatever is above is not part of it.
  await mkdir(join(machine.cwd, ".git"));
});
afterEach(() => machine.remove());

const tester = { extends: "planner", description: "Tests.", actions: { project_code: "allow" } };

async function writePolicy(modes: object, directory = machine.dataDirectory): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, "policy.json");
  await writeFile(path, JSON.stringify({ version: 1, modes }));
  return path;
}

async function output(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(["policy", ...args]);
  expect([stderr, code]).toEqual(["", 0]);
  return stdout;
}

describe.each(["with a server", "without a server"])("turnwire policy %s", (how) => {
  let stop: (() => Promise<number>) | undefined;
  beforeEach(async () => {
    stop = how === "with a server" ? (await machine.serve()).stop : undefined;
  });
  afterEach(async () => {
    await stop?.();
  });

  test("lists modes with where they come from, and the problems of files", async () => {
    expect(await output("modes")).toMatch(
      /^MODE +FROM +TURNS +WHAT IT IS FOR\n[─ ]+\nplanner +built in +30 /,
    );
    const path = await writePolicy({ tester });
    expect(await output("modes")).toMatch(/tester +yours +30 +Tests\.\n\n.*policy\.json: loaded\n/);
    const [first] = (await output("modes", "--json")).split("\n");
    expect(JSON.parse(first ?? "")).toMatchObject({ name: "planner", is_built_in: true });
    await writeFile(path, "{");
    expect(await output("modes")).toMatch(/policy\.json: broken.*\n {2}it is not JSON/);
  });

  test("lists modes of a project once that is trusted", async () => {
    await writePolicy({ tester }, join(machine.cwd, ".turnwire"));
    expect(await output("modes", "--cwd", ".")).toMatch(/tester +project +cannot be used/);
    expect((await machine.run(["trust", "--yes"])).stdout).toContain("policy mode");
    expect(await output("modes", "--cwd", ".")).toMatch(/tester +project +30 +Tests\./);
    expect(await output("modes")).not.toContain("tester");
  });

  test("adds rules, lists them and takes them back", async () => {
    expect(await output("rules")).toContain("There are no rules of your own");
    const note = await output("allow", "--mode", "planner", "--exact", "--", "npm", "test", "--ci");
    const [, id = ""] = /\((own-[0-9a-f]{8})\)/.exec(note) ?? [];
    await output("allow", "--path", "/etc/hosts", "--project", ".", "--note", "names");
    await output("allow", "--host", "*.example.com");
    await output("allow", "--tool", "mcp__a__*");
    const rules = await output("rules");
    for (const part of [
      new RegExp(`${id} +npm test --ci +planner +everywhere`),
      /read \/etc\/hosts +every mode +.*work/,
      /connect to \*\.example\.com/,
      /the tool mcp__a__\*/,
    ]) {
      expect(rules).toMatch(part);
    }
    const listed = (await output("rules", "--json")).trimEnd().split("\n");
    expect(listed.map((line) => JSON.parse(line))).toHaveLength(4);
    expect(JSON.parse(listed[2] ?? "")).toMatchObject({ project: machine.cwd, note: "names" });
    expect(await output("revoke", id)).toBe(`The rule ${id} holds no more.\n`);
    expect(await output("rules")).not.toContain(id);
    const stored = await readFile(join(machine.dataDirectory, "policy-rules.json"), "utf8");
    expect(JSON.parse(stored)).toMatchObject({ rules: [{}, {}, {}] });
  });

  test.each([
    [["allow"], "one of them"],
    [["allow", "ls", "--host", "example.com"], "one of them"],
    [["allow", "npm test"], "each word by itself"],
    [["allow", "ls", "--mode", "nowhere"], 'There is no mode "nowhere"'],
    [["allow", "ls", "--project", "nowhere"], "There is no directory"],
    [["allow", "--path", "relative"], "must begin with /"],
    [["revoke"], "Which rule?"],
    [["revoke", "own-none"], "There is no policy rule own-none"],
  ])("says what is wrong with %j", async (args, sentence) => {
    const { code, stderr } = await machine.run(["policy", ...args]);
    expect(stderr).toContain(sentence);
    expect(code).not.toBe(0);
  });

  test("explains by the policy of this machine, rules included", async () => {
    const explain = (command: string, mode: string) =>
      machine.run(["policy", "explain", command, "--mode", mode]);
    expect((await explain("npm test", "tester")).stderr).toContain('There is no mode "tester"');
    await writePolicy({ tester });
    expect((await explain("npm test", "tester")).code).toBe(0);
    expect((await explain("mytool", "planner")).code).toBe(4);
    await output("allow", "mytool");
    const allowed = await explain("mytool", "planner");
    expect([allowed.code, allowed.stdout]).toEqual([
      0,
      expect.stringContaining("a rule of your own allows it"),
    ]);
  });
});

describe("a session under a policy", () => {
  test("is held by the mode of the command line; a rule that is added takes effect in it, and a replay shows both", async () => {
    const { stop } = await machine.serve("--policy-mode", "planner");
    try {
      const created = await machine.run(["sessions", "new", "--json"]);
      const { session_id: id, policy_mode } = JSON.parse(created.stdout);
      expect(policy_mode).toBe("planner");
      const send = () => machine.run(["send", id, "/policy", "--wait"]);
      await output("allow", "--host", "example.com");
      const { code, stdout } = await send();
      expect([code, stdout]).toEqual([0, expect.stringContaining("refused by the policy")]);
      const client = await machine.client();
      const { events } = await client.sessions.eventPage(id, { limit: 1000 });
      const decisions = events.flatMap((event) =>
        event.type === "policy_decision" ? [[event.data.verdict, event.data.rule]] : [],
      );
      expect(decisions).toEqual([
        ["allow", "planner-tools"],
        ["allow", expect.stringMatching(/^own-/)],
        ["deny", "planner-no-edits"],
        ["deny", "git_remote"],
      ]);
      const replayed = await output("replay", id.slice(0, 8));
      expect(replayed).toMatch(/deny +git push --force origin main\n +\[git_remote\]/);
      expect(replayed).toContain("in the mode planner: 2 allowed, 0 asked, 2 denied\n");
      const free = await output("replay", id, "--mode", "unrestricted", "--json");
      const sums = JSON.parse(free.trimEnd().split("\n").at(-1) ?? "");
      expect(sums).toEqual({ mode: "unrestricted", allow: 4, ask: 0, deny: 0, changed: 2 });
      expect((await machine.run(["policy", "replay", id, "--mode", "none"])).stderr).toContain(
        'There is no mode "none"',
      );
      expect((await machine.run(["policy", "replay", "nothing"])).code).not.toBe(0);
    } finally {
      await stop();
    }
  });

  test("is refused where the file that has its mode is broken; the server starts and says so", async () => {
    const path = await writePolicy({ tester: { ...tester, actions: { fly: "allow" } } });
    const server = machine.start(["serve", "--json", "--port", "0"]);
    await server.stdout.until(/^.*\n/);
    await server.stderr.until(/is not in force/);
    const refused = await machine.run(["sessions", "new", "--policy-mode", "tester"]);
    expect(refused.stderr).toContain(`${path} says what it is, but cannot be used`);
    expect((await machine.run(["sessions", "new", "--policy-mode", "planner"])).code).toBe(0);
    server.signal("SIGTERM");
    expect(await server.exited).toBe(0);
  });

  test("cannot have a default that there is not", async () => {
    const { code, stderr } = await machine.run([
      "serve",
      "--port",
      "0",
      "--policy-mode",
      "nowhere",
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--policy-mode: There is no mode "nowhere". There are: planner');
  });

  test("takes modes from the configuration, whose problems are named", async () => {
    await mkdir(machine.dataDirectory, { recursive: true, mode: 0o700 });
    const path = join(machine.dataDirectory, "turnwire.config.json");
    await writeFile(
      path,
      JSON.stringify({ policy_mode: "tester", policy: { modes: { tester } } }),
      {
        mode: 0o600,
      },
    );
    expect(await output("modes")).toMatch(/tester +yours/);
    const { stop } = await machine.serve();
    const created = await machine.run(["sessions", "new", "--json"]);
    expect(JSON.parse(created.stdout)).toMatchObject({ policy_mode: "tester" });
    await stop();
    for (const [modes, problem] of [
      [{ tester: { actions: { fly: "allow" } } }, "policy.modes.tester.actions"],
      [{ tester: { extends: "nothing" } }, 'there is no mode "nothing" to extend'],
    ] as const) {
      await writeFile(path, JSON.stringify({ policy: { modes } }), { mode: 0o600 });
      const { code, stderr } = await machine.run(["serve", "--port", "0"]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(problem)]);
    }
  });
});
