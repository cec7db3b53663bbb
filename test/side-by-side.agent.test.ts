/** Two real agents behind one server: a client that knows no runtime sees the same of both. */
import { checkGrammar } from "@turnwire/protocol";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { TestMachine } from "../packages/cli/src/test-support/cli-run.ts";
import { AgentPair } from "./support/agent-pair.ts";
import { Conversation, courseOf, outlineOf } from "./support/conversation.ts";

let pair: AgentPair;

beforeAll(async () => {
  pair = await AgentPair.start();
});

afterAll(() => pair.close());

/** All that the tests know of the agents: what the server calls them. */
const runtimes = ["claude", "codex"];

async function converse(runtime: string): Promise<{ own: Conversation; cwd: string }> {
  const cwd = pair.newProject();
  const own = await Conversation.start(pair.client, { runtime, cwd });
  onTestFinished(async () => {
    expect(checkGrammar(await own.events())).toEqual([]);
    own.close();
  });
  return { own, cwd };
}

describe.each(runtimes)("a client of %s", (runtime) => {
  /** Most tests are turns of one conversation: starting an agent takes most of a second. */
  let own: Conversation;
  let cwd: string;

  beforeAll(async () => {
    cwd = pair.newProject();
    own = await Conversation.start(pair.client, { runtime, cwd });
  });
  afterAll(async () => {
    const violations = checkGrammar(await own.events());
    own.close();
    if (violations.length > 0) throw new Error(JSON.stringify(violations));
  });

  /** The course of what is said from now on. */
  async function newCourse(): Promise<() => Promise<string[]>> {
    const { length } = await own.events();
    return async () => courseOf((await own.events()).slice(length));
  }

  test("sees text, and what came before it", async () => {
    const course = await newCourse();
    expect(outlineOf(await own.turn("SCENARIO:text Hello."))).toEqual(["text", "ended as done"]);
    const thought = await own.turn("SCENARIO:thinking Well.");
    expect(outlineOf(thought)).toEqual(["thinking", "text", "ended as done"]);
    const begin = ["user_message", "turn_started"];
    const answer = ["delta", "result", "done"];
    expect(await course()).toEqual([...begin, ...answer, ...begin, "thinking", ...answer]);
  });

  test("decides on a command, and sees what it did", async () => {
    const course = await newCourse();
    const command = "touch made.txt && echo made";
    const allowed = await own.turn(`SCENARIO:tool ${command}`, () =>
      own.decide({ behavior: "allow" }),
    );
    expect(outlineOf(allowed)).toEqual([
      `tool on ${command}: done, exit 0`,
      "permission: answered, allowed",
      "text",
      "ended as done",
    ]);
    expect(existsSync(join(cwd, "made.txt"))).toBe(true);
    const failing = "touch again.txt; exit 3";
    const failed = await own.turn(`SCENARIO:tool ${failing}`, () =>
      own.decide({ behavior: "allow" }),
    );
    expect(outlineOf(failed)[0]).toBe(`tool on ${failing}: failed, exit 3`);
    const turn = ["user_message", "turn_started", "tool_start", "permission_request"];
    const rest = ["permission_resolved", "tool_result", "delta", "result", "done"];
    expect(await course()).toEqual([...turn, ...rest, ...turn, ...rest]);
  });

  test("forbids a command: the agent continues, or stops where that is wanted", async () => {
    const refused = await own.turn("SCENARIO:tool touch never.txt", () =>
      own.decide({ behavior: "deny", message: "too early" }),
    );
    expect(outlineOf(refused)).toEqual([
      "tool on touch never.txt: failed",
      "permission: answered, denied",
      "text",
      "ended as done",
    ]);
    const stopped = await own.turn("SCENARIO:tool touch never.txt", () =>
      own.decide({ behavior: "deny", interrupt: true }),
    );
    expect(outlineOf(stopped)).toEqual([
      "tool on touch never.txt: failed",
      "permission: answered, denied",
      "stopped",
    ]);
    expect(existsSync(join(cwd, "never.txt"))).toBe(false);
  });

  test("decides on a change to a file, knowing which file and what is put there", async () => {
    const path = join(cwd, "note.txt");
    const changed = await own.turn(`SCENARIO:write ${path}`, () =>
      own.decide({ behavior: "allow" }),
    );
    expect(outlineOf(changed)).toEqual([
      "tool on note.txt: done",
      "permission: answered, allowed",
      "text",
      "ended as done",
    ]);
    const asked = changed.blocks.find((block) => block.type === "permission");
    const input = JSON.stringify(asked?.request.tool_input);
    expect(input).toContain(JSON.stringify(path));
    expect(input).toContain("written");
    const tool = changed.blocks.find((block) => block.type === "tool");
    expect(asked?.request.tool_use_id).toBe(tool?.tool_use_id);
    expect(existsSync(path)).toBe(true);
  });

  test("stops a turn in the middle of its words, and continues", async () => {
    const stopped = await own.turn("SCENARIO:hold never", (messageId) => own.stop(messageId));
    expect(outlineOf(stopped)).toEqual(["text", "stopped"]);
    expect(outlineOf(await own.turn("SCENARIO:text next"))).toEqual(["text", "ended as done"]);
  });

  test("reads why the model failed", async () => {
    const failed = await own.turn("SCENARIO:error 400");
    expect(outlineOf(failed).at(-1)).toBe("ended as failed");
    const [error] = failed.blocks.flatMap((block) => (block.type === "error" ? [block] : []));
    expect(error).toMatchObject({ message: expect.stringMatching(/scripted 400$/) });
  });

  test("knows the session's model, mode and place once the agent has spoken", async () => {
    const { own, cwd } = await converse(runtime);
    await own.turn("SCENARIO:text Hello.");
    const { capabilities, account, ...facts } = own.facts();
    // Codex has a provider of its settings here, which has no account.
    expect(account).toEqual(runtime === "claude" ? { kind: "api_key" } : undefined);
    expect(facts).toEqual({
      session_id: own.session.id,
      runtime,
      status: "live",
      is_closed: false,
      cwd,
      model: expect.any(String),
      permission_mode: capabilities.permission_modes[0],
      provider_session_id: expect.any(String),
      configuration: expect.objectContaining({ trust: "none", user_settings: false, hooks: [] }),
    });
    expect(capabilities.models.length).toBeGreaterThan(0);
  });

  test("names, sets, copies, shortens and takes back", async () => {
    const { own } = await converse(runtime);
    await own.turn("SCENARIO:text first");
    const { model = null, capabilities } = own.facts();
    await own.session.execute({ type: "rename", title: "Ours" });
    await own.session.execute({ type: "set_model", model });
    await own.session.execute({ type: "set_permission_mode", mode: "plan" });
    await own.until(({ session }) => session.session.permission_mode === "plan");
    const mode = capabilities.permission_modes[0] ?? "";
    await own.session.execute({ type: "set_permission_mode", mode });
    await own.session.execute({ type: "compact" });
    const { turn_id = "" } = await own.turn("SCENARIO:text second");
    await own.heard("compacted");
    const copy = await own.fork();
    expect(outlineOf(await copy.turn("SCENARIO:text other"))).toEqual(["text", "ended as done"]);
    copy.close();
    await own.session.execute({ type: "rollback", turn_id });
    await own.until(({ session }) =>
      session.messages.every((message) => message.turn_id !== turn_id),
    );
    expect(own.facts()).toMatchObject({ title: "Ours", permission_mode: mode });
    expect(outlineOf(await own.turn("SCENARIO:text third"))).toEqual(["text", "ended as done"]);
  });
});

describe("turnwire chat", () => {
  const said = [
    "SCENARIO:text Hello.",
    "SCENARIO:tool touch made.txt; exit 3",
    "y",
    "SCENARIO:tool touch never.txt",
    "n too early",
    "SCENARIO:write note.txt",
    "y",
    "SCENARIO:tool touch never.txt",
    "d",
    "SCENARIO:text Goodbye.",
  ];
  const shown = [
    "› SCENARIO:text Hello.",
    "✓",
    "› SCENARIO:tool touch made.txt; exit 3",
    "? Allow TOOL?",
    "  ✓ TOOL allowed",
    "✗ TOOL touch made.txt; exit 3 · exit 3",
    "✓",
    "› SCENARIO:tool touch never.txt",
    "? Allow TOOL?",
    "  ✗ TOOL denied: too early",
    "✗ TOOL touch never.txt",
    "✓",
    "› SCENARIO:write note.txt",
    "? Allow TOOL?",
    "  ✓ TOOL allowed",
    "● TOOL note.txt",
    "✓",
    "› SCENARIO:tool touch never.txt",
    "? Allow TOOL?",
    "  ✗ TOOL denied",
    "✗ TOOL touch never.txt",
    "■ stopped",
    "› SCENARIO:text Goodbye.",
    "✓",
  ];

  /** Every agent has its own names for its tools. */
  async function toolsOf(sessionId: string): Promise<string[]> {
    const { events } = await pair.client.sessions.eventPage(sessionId, { limit: 1000 });
    return events.flatMap((event) => (event.type === "tool_start" ? [event.data.tool] : []));
  }

  /** The lines with a mark, without what differs from run to run: time, tokens and money. */
  function marksIn(stdout: string): string[] {
    return stdout
      .split("\n")
      .filter((line) => /^ {0,2}[›?✓✗●■]/.test(line))
      .map((line) => line.replaceAll(/(?: ·)? (?:[\d.]+ s\b|\d+ tokens?|\$[\d.]+)/g, ""));
  }

  test.each(runtimes)("shows a conversation with %s as one with any other", async (runtime) => {
    const machine = await TestMachine.create({ TURNWIRE_TOKEN: pair.token });
    onTestFinished(() => machine.remove());
    const cwd = pair.newProject();
    const args = ["chat", "--url", pair.url, "--runtime", runtime, "--cwd", cwd];
    const { stdout, stderr, code } = await machine.run(args, { input: said.join("\n") });
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    const [sessionId = ""] = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(stdout) ?? [];
    const tools = new RegExp(`\\b(?:${(await toolsOf(sessionId)).join("|")})\\b`, "g");
    const marks = marksIn(stdout.replaceAll(`${cwd}/`, ""));
    expect(
      marks.map((line) => (line.startsWith("›") ? line : line.replace(tools, "TOOL"))),
    ).toEqual(shown);
  });
});
