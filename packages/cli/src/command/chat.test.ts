import { demoScenarios } from "../../../runtime/src/demo/scenario/catalog.ts";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createKeyboard } from "../test-support/fake-terminal.ts";
import { TestMachine } from "../test-support/cli-run.ts";

/** What a person answers to the scenarios that ask. */
const answers: Readonly<Record<string, readonly string[]>> = {
  permission: ["y"],
  question: ["1", "1,3"],
  interrupt: ["1"],
  form: ['{"version":"1.4.0"}'],
  "plan-editor": ['{"approved":true,"steps":[{"text":"Look around"}]}'],
  "frontend-tool": ["2"],
  hook: ["n not today"],
};

/** Scenarios whose side lines depend on how events share a chunk, and what they show in any case. */
const loose: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  subagents: [
    "◆ explorer completed",
    "◆ reviewer completed · 2 tools · 1 file changed",
    "│ │ ● Bash npm test",
  ],
  mcp: [
    "mcp files: connected",
    "mcp tickets: failed",
    "⚠ The MCP server “tickets” did not answer.",
  ],
  // A task that ends at once may never be seen running.
  tasks: [/task \S+ (running: npm run build|completed: Built)/, "Runs in the background"],
  state: ["shared state: ", "Change it too"],
  components: [
    "╭─ table Largest files",
    "│ src/server.ts  812",
    "╭─ chart Lines per week in the panel",
  ],
  canvas: [
    "╭─ table Slowest tests in the canvas",
    "╭─ chart Seconds of the suite, by day in the canvas",
    "╭─ diff What made it faster in the canvas",
  ],
};

/** `/compact` is the chat's own: it makes no turn that could be waited for. */
const own = new Set(["compact"]);

/** Turns that end badly on purpose. */
const failing = new Set(["error", "crash"]);

function steady(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "SESSION")
    .replaceAll(/ · \d+(?:\.\d)? s\b|\b\d+(?:\.\d)? s · /g, "")
    .replaceAll(/\/tmp\/\S*turnwire-cli-\w+/g, "HOME");
}

describe("turnwire chat without a terminal", () => {
  let machine: TestMachine;

  beforeEach(async () => {
    machine = await TestMachine.create();
  });

  afterEach(() => machine.remove());

  test.each(demoScenarios.filter(({ name }) => !(name in loose || own.has(name))))(
    "shows $name in plain text",
    async ({ name, example }) => {
      const input = [example, ...(answers[name] ?? [])].join("\n");
      const { code, stdout, stderr } = await machine.run(["chat"], { input });
      expect(stderr).toBe("");
      expect(code).toBe(failing.has(name) ? 3 : 0);
      const shown = steady(stdout);
      const end = shown.length > 3000 ? `${shown.slice(0, 600)}\n…\n${shown.slice(-200)}` : shown;
      expect(end).toMatchSnapshot();
    },
  );

  test.each(Object.entries(loose))("shows %s", async (name, expected) => {
    const { code, stdout } = await machine.run(["chat"], { input: `/${name}\n` });
    expect(code).toBe(0);
    for (const part of expected) expect(stdout).toMatch(part);
  });

  test("says in one line that it brings its own server, and leaves none behind", async () => {
    const { stdout } = await machine.run(["chat"], { input: "hello\n" });
    expect(stdout.split("\n")[0]).toContain("brings its own");
    expect((await machine.run(["sessions"])).code).toBe(1);
  });

  test("uses the running server, where its session can be seen and taken up again", async () => {
    const { stop } = await machine.serve();
    const first = await machine.run(["chat", "--title", "Mine"], { input: "/usage\n" });
    expect(first.stdout).not.toContain("brings its own");
    const [line = ""] = (await machine.run(["sessions", "--json"])).stdout.split("\n");
    const { session_id, title } = JSON.parse(line) as { session_id: string; title: string };
    expect(title).toBe("Mine");
    const again = await machine.run(["chat", session_id.slice(0, 8)], { input: "/thinking\n" });
    expect(again.stdout).toContain("› /usage");
    expect(again.stdout).toContain("› /thinking");
    await stop();
  });

  test("takes each line when the turn before has ended", async () => {
    const { stdout, code } = await machine.run(["chat"], {
      input: "/usage\n/thinking\n/markdown\n",
    });
    expect(code).toBe(0);
    expect(stdout.match(/^›.*|^✓/gm)).toEqual([
      "› /usage",
      "✓",
      "› /thinking",
      "✓",
      "› /markdown",
      "✓",
    ]);
  });

  test("asks again when an answer makes no sense", async () => {
    const { stdout, code } = await machine.run(["chat"], {
      input: "/permission\nperhaps\nn too early\n",
    });
    expect(code).toBe(0);
    expect(stdout).toContain("Type y, n or another of the letters");
    expect(stdout).toContain("✗ Bash denied: too early");
  });

  test("ends with 4 when the agent waits for a person and nothing more is said", async () => {
    const { stop } = await machine.serve();
    const { code, stderr } = await machine.run(["chat"], { input: "/permission\n" });
    expect(code).toBe(4);
    expect(stderr).toMatch(/waits for permission to use Bash. Answer it: turnwire chat [\w-]+\n$/);
    const waiting = await machine.run(["sessions", "--activity", "waiting", "--json"]);
    expect(waiting.stdout.trim().split("\n")).toHaveLength(1);
    await stop();
  });

  test("is ended by a signal, with its own server", async () => {
    const stdin = createKeyboard();
    stdin.isTTY = false;
    const program = machine.start(["chat"], { stdin });
    stdin.write("/permission\n");
    await program.stdout.until(/Allow Bash/);
    program.signal("SIGTERM");
    expect(await program.exited).toBe(143);
    expect((await machine.run(["sessions"])).code).toBe(1);
  });

  test("denies and stops the turn with d", async () => {
    const { stdout, code } = await machine.run(["chat"], { input: "/permission\nd\n" });
    expect(code).toBe(3);
    expect(stdout).toContain("■ stopped");
  });

  test("does what the slash commands say", async () => {
    const input = [
      "/model demo-1-mini",
      "/model",
      "/mode plan",
      "/mode nonsense",
      "/policy planner",
      "/policy",
      "/policy nowhere",
      "/policy none",
      "/policy",
      "/rename A new name",
      "/stop",
      "/halp",
      "/compact",
      "/usage",
      "/fork Copy",
      "/sessions",
      "/new Third",
      "/quit",
      "never said",
    ].join("\n");
    const { stdout, code } = await machine.run(["chat"], { input });
    expect(code).toBe(0);
    for (const part of [
      "model: demo-1-mini",
      "› demo-1-mini",
      "permission mode: plan",
      "nonsense",
      "policy mode: planner",
      "› planner  Reads, searches and explains; changes nothing.",
      'There is no mode "nowhere". There are: planner, implementation, unrestricted.',
      "policy mode: none",
      "title: A new name",
      "Nothing runs.",
      "There is no /halp. Did you mean /help?",
      "ℹ The conversation was compacted",
      "Copy",
      "Third",
    ]) {
      expect(stdout).toContain(part);
    }
    expect(stdout).not.toContain("never said");
  });

  test("shows the limits of the account, what fills the context, and the MCP servers", async () => {
    const input = [
      "/limits",
      "/servers",
      "/usage",
      "/limits",
      "/context",
      "/mcp",
      "/servers tickets",
      "hello",
    ];
    const { stdout } = await machine.run(["chat"], { input: input.join("\n") });
    for (const part of [
      "The agent has reported no limits of its account.",
      "The agent has reported no MCP servers.",
      "account: demo plan · demo@example.com",
      "5-hour limit: 91% used",
      "7-day limit: 40% used, resets ",
      "context: 10.2k of 200k tokens",
      "2.1k  Messages",
      "mcp tickets: failed",
      "mcp tickets: connected",
    ]) {
      expect(stdout).toContain(part);
    }
  });

  test("has changes reviewed in a turn of their own", async () => {
    const input = ["/review", "/review branch main"];
    const { stdout } = await machine.run(["chat"], { input: input.join("\n") });
    expect(stdout).toContain("I reviewed the uncommitted changes.");
    expect(stdout).toContain("I reviewed the changes against main.");
  });

  test("lists what is always allowed, and revokes it", async () => {
    const input = [
      "/allowed",
      "/permission",
      "a",
      "/allowed",
      "/allowed 7",
      "/allowed 1",
      "/allowed",
    ];
    const { stdout } = await machine.run(["chat"], { input: input.join("\n") });
    expect(stdout).toContain("Bash allowed always");
    expect(stdout).toContain('1 Bash  {"type":"addRules"');
    expect(stdout).toContain("There is no number 7, see /allowed");
    expect(stdout.split("Nothing: the agent asks each time.")).toHaveLength(3);
  });

  test("refuses a session that does not exist", async () => {
    const { code, stderr } = await machine.run(["chat", "missing"], { input: "hello\n" });
    expect(code).toBe(1);
    expect(stderr).toBe('turnwire: There is no session "missing": see turnwire sessions.\n');
  });

  test("says what is wrong with the token of the server it was sent to", async () => {
    const { url, stop } = await machine.serve();
    const env = { TURNWIRE_TOKEN: "x".repeat(40) };
    const { code, stderr } = await machine.run(["chat", "--url", url], { input: "hello\n", env });
    expect(code).toBe(1);
    expect(stderr).toContain("does not accept the token");
    await stop();
  });
});
