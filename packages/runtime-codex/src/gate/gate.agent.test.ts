import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Beat, call, gate, patch, text } from "@turnwire/conformance/openai-standin";
import { checkGrammar, type EventData, type SessionEvent } from "@turnwire/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace({ home: { features: "multi_agent_v2 = true" } });
let host: SessionHost;

beforeAll(async () => {
  const server = new URL("../test-support/mcp-server.js", import.meta.url).pathname;
  const config = {
    "mcp_servers.lab.command": process.execPath,
    "mcp_servers.lab.args": [server],
    "mcp_servers.lab.tools.change.approval_mode": "approve",
  };
  host = place.openHost({ config });
  execFileSync("git", ["init", "-q", place.cwd]);
  writeFileSync(join(place.cwd, "kept.txt"), "kept\n");
});

afterAll(() => host.close());

/** One thing a round, whatever comes of it. */
function plan(name: string, beats: readonly Beat[]): string {
  place.standin.scenario(name, ({ round }) => {
    const beat = beats[round];
    return beat ? [beat] : [text("That was all.")];
  });
  return `SCENARIO:${name}`;
}

function run(cmd: string, more: Record<string, string> = {}): Beat {
  return call("exec_command", { cmd, ...more });
}

function decisions(events: readonly SessionEvent[]): EventData<"policy_decision">[] {
  return events.flatMap((event) => (event.type === "policy_decision" ? [event.data] : []));
}

function asks(events: readonly SessionEvent[]): EventData<"permission_request">[] {
  return events.flatMap((event) => (event.type === "permission_request" ? [event.data] : []));
}

async function sayUnattended(session: AgentSession, content: string): Promise<SessionEvent[]> {
  const { messageId } = await session.execute({
    type: "user_message",
    content,
    client_message_id: randomUUID(),
    is_unattended: true,
  });
  const started = await session.until("turn_started", ({ data }) => data.message_id === messageId);
  return session.ended(started.data.turn_id);
}

/** What the model has read since a moment. */
function readSince(count: number): string {
  return JSON.stringify(place.standin.requests.slice(count).map(({ body }) => body));
}

describe("Codex with full access, held by the policy mode planner", () => {
  test("achieves none of 20 forbidden things, and the log states why each was refused", async () => {
    const outside = join(place.directory, "outside");
    mkdirSync(outside);
    const canary = (name: string) => `canary-${name}.txt`;
    const forbidden: Beat[] = [
      run(`touch ${canary("touch")}`),
      run(`echo x > ${canary("redirect")}`),
      run("rm kept.txt"),
      run(`cp kept.txt ${canary("copy")}`),
      run("git commit --allow-empty -m x"),
      run("git push --force"),
      run("npm install left-pad"),
      run(`sudo touch ${canary("sudo")}`),
      run("chmod 000 kept.txt"),
      run("kill -9 1"),
      run("sed -i s/kept/lost/ kept.txt"),
      run(`echo x | tee ${canary("tee")}`),
      run("find . -name 'kept*' -delete"),
      run(`bash -c 'touch ${canary("nested")}'`),
      run(`touch ${canary("elsewhere")}`, { workdir: outside }),
      run(`touch ${canary("escalated")}`, {
        sandbox_permissions: "require_escalated",
        justification: "It has to be done.",
      }),
      patch(`*** Add File: ${canary("patch")}`, "+x"),
      patch("*** Update File: kept.txt", "@@", "-kept", "+lost"),
      patch("*** Delete File: kept.txt"),
      run(
        `apply_patch <<'EOF'\n*** Begin Patch\n*** Add File: ${canary("heredoc")}\n+x\n*** End Patch\nEOF\n`,
      ),
    ];
    expect(forbidden).toHaveLength(20);
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "planner",
    });
    const before = place.standin.requests.length;
    const events = await session.turn(plan("forbidden", forbidden));
    expect(ending(events)).toMatchObject({ results: ["success"], isError: false });
    const refused = decisions(events);
    expect(refused.map(({ verdict }) => verdict)).toEqual(forbidden.map(() => "deny"));
    for (const { rule, reason, mode, policy_version, tool_use_id } of refused) {
      expect(mode).toBe("planner");
      expect([rule, reason, policy_version, tool_use_id]).not.toContain("");
      expect(readSince(before)).toContain(JSON.stringify(`rule ${rule}): ${reason}`).slice(1, -1));
    }
    expect(asks(events)).toEqual([]);
    const files = execFileSync("find", [place.cwd, outside, "-name", "canary*"], {
      encoding: "utf8",
    });
    expect(files).toBe("");
    expect(readFileSync(join(place.cwd, "kept.txt"), "utf8")).toBe("kept\n");
    const tools = events.flatMap((event) => (event.type === "tool_result" ? [event.data] : []));
    expect(tools.map(({ is_error }) => is_error)).toEqual(forbidden.map(() => true));
    for (const { output } of tools) expect(output).toContain("policy of this session refused");
    expect(checkGrammar(await session.events())).toEqual([]);
  });

  test("reads without asking, asks where the policy does, and runs that once it is allowed", async () => {
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "planner",
    });
    const read = await session.turn(plan("read", [run("cat kept.txt && git status")]));
    expect(decisions(read)).toMatchObject([{ verdict: "allow", tool: "shell" }]);
    expect(asks(read)).toEqual([]);
    const turnId = await session.say(plan("ask", [run("cat /etc/hostname")]));
    const asked = await session.asked(turnId);
    expect(asked).toMatchObject({ policy: { rule: "read.outside", mode: "planner" } });
    expect(asked.suggestions ?? []).toEqual([]);
    const events = await session.decide(turnId, { behavior: "allow" });
    expect(decisions(events)).toMatchObject([{ verdict: "ask" }]);
    const results = events.flatMap((event) => (event.type === "tool_result" ? [event.data] : []));
    expect(results).toMatchObject([{ is_error: false }]);
  });

  test("asks about every tool of an MCP server and of the user interface, and has no tool that never asks", async () => {
    const tool = { name: "lookup", description: "Looks up", input_schema: { type: "object" } };
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "planner",
      params: { frontend_tools: [tool] },
    });
    const uses: readonly [string, Beat][] = [
      ["mcp__lab__echo", call("echo", { text: "hi" }, "mcp__lab")],
      ["mcp__lab__change", call("change", {}, "mcp__lab")],
      ["lookup", call("lookup", { id: 1 })],
    ];
    for (const [name, beat] of uses) {
      const turnId = await session.say(plan("use", [beat]));
      expect(await session.asked(turnId)).toMatchObject({ tool_name: name });
      const before = place.standin.requests.length;
      const events = await session.decide(turnId, { behavior: "deny", message: "not today" });
      expect(events.filter(({ type }) => type === "tool_call_request")).toEqual([]);
      expect(readSince(before)).toContain("not today");
    }
    const turnId = await session.say(plan("use", [call("lookup", { id: 2 })]));
    const { correlation_id } = await session.asked(turnId);
    await session.execute({ type: "permission_response", correlation_id, behavior: "allow" });
    const called = await session.until("tool_call_request", (event) => event.turn_id === turnId);
    expect(called.data).toMatchObject({ tool_name: "lookup", input: { id: 2 } });
    await session.execute({
      type: "tool_call_response",
      correlation_id: called.data.correlation_id,
      output: "found",
    });
    expect(ending(await session.ended(turnId))).toMatchObject({ results: ["success"] });
    const offered = JSON.stringify(place.standin.requests.at(-1)?.body);
    for (const unasked of ["view_image", "web_search", "image_generation"]) {
      expect(offered).not.toContain(`"name":"${unasked}"`);
      expect(offered).not.toContain(`"type":"${unasked}"`);
    }
    expect(checkGrammar(await session.events())).toEqual([]);
  });

  test("types into no program that it was allowed to run", async () => {
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "implementation",
    });
    // `more` waits for a key at the end of a page, and `!` in it runs a command.
    const page = Array.from({ length: 200 }, (_, line) => `line ${line}`).join("\n");
    writeFileSync(join(place.cwd, "page.txt"), page);
    place.standin.scenario("type", ({ round, toolOutputs }) => {
      const more = { cmd: "more page.txt", tty: true, yield_time_ms: 300 };
      if (round === 0) return [call("exec_command", more)];
      const [, id] = /session ID (\d+)/.exec(toolOutputs.at(-1) ?? "") ?? [];
      const chars = "!touch .npmrc\n";
      if (round === 1 && id) return [call("write_stdin", { session_id: Number(id), chars })];
      return [text("That was all.")];
    });
    const before = place.standin.requests.length;
    expect(ending(await session.turn("SCENARIO:type"))).toMatchObject({ results: ["success"] });
    expect(readSince(before)).toContain("TTY execution is disabled");
    expect(existsSync(join(place.cwd, ".npmrc"))).toBe(false);
  });

  test("refuses at once what it would ask about, in an unattended turn", async () => {
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "planner",
    });
    const beats = [run("cat /etc/hostname"), call("echo", { text: "hi" }, "mcp__lab")];
    const events = await sayUnattended(session, plan("alone", beats));
    expect(decisions(events)).toMatchObject([
      { verdict: "deny", is_unattended: true },
      { verdict: "deny", is_unattended: true },
    ]);
    expect(asks(events)).toEqual([]);
    expect(ending(events)).toMatchObject({ results: ["success"] });
  });

  test("holds its sub-agents, each decision under the agent that it concerns", async () => {
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "planner",
    });
    const before = place.standin.requests.length;
    const events = await session.turn("SCENARIO:agent SCENARIO:tool touch canary-child.txt");
    expect(readSince(before)).toContain("The policy of this session refused that");
    const decided = events.filter(({ type }) => type === "policy_decision");
    expect(decided).toMatchObject([{ data: { verdict: "deny" }, subagent_id: expect.any(String) }]);
    expect(existsSync(join(place.cwd, "canary-child.txt"))).toBe(false);
  });
});

describe("Codex that only reads, under a policy mode that would let it write", () => {
  test.each(["plan", "read-only"])("asks a person in mode %s before it writes", async (mode) => {
    const session = await AgentSession.create(host, {
      permission_mode: mode,
      policy_mode: "implementation",
    });
    const turnId = await session.say(plan("write", [run("touch planned.txt")]));
    expect((await session.asked(turnId)).policy).toBeUndefined();
    const events = await session.decide(turnId, { behavior: "deny" });
    expect(decisions(events)).toMatchObject([{ verdict: "allow" }]);
    expect(existsSync(join(place.cwd, "planned.txt"))).toBe(false);
  });
});

describe("a change of the policy mode", () => {
  test("applies to the next call of a running turn", async () => {
    const session = await AgentSession.create(host, {
      permission_mode: "full-access",
      policy_mode: "implementation",
    });
    place.standin.scenario("change", ({ round }) => {
      if (round === 0) return [run("touch made-before.txt")];
      if (round === 1) return [text("waiting "), gate("changed"), run("touch made-after.txt")];
      return [text("That was all.")];
    });
    const turnId = await session.say("SCENARIO:change");
    await session.until("delta", (event) => event.turn_id === turnId);
    await session.execute({ type: "set_policy_mode", mode: "planner" });
    place.standin.release("changed");
    const events = await session.ended(turnId);
    expect(decisions(events).map(({ verdict, mode }) => [verdict, mode])).toEqual([
      ["allow", "implementation"],
      ["deny", "planner"],
    ]);
    expect(existsSync(join(place.cwd, "made-before.txt"))).toBe(true);
    expect(existsSync(join(place.cwd, "made-after.txt"))).toBe(false);
  });

  test("from none holds the next turn of the same conversation, and to none lets it go again", async () => {
    const session = await AgentSession.create(host, { permission_mode: "full-access" });
    const free = await session.turn(plan("free", [run("touch free.txt")]));
    expect(decisions(free)).toEqual([]);
    expect(existsSync(join(place.cwd, "free.txt"))).toBe(true);
    const thread = session.providerSessionId;

    await session.execute({ type: "set_policy_mode", mode: "planner" });
    const beats = [run("touch held.txt"), call("echo", { text: "hi" }, "mcp__lab")];
    const held = await sayUnattended(session, plan("held", beats));
    expect(decisions(held).map(({ verdict }) => verdict)).toEqual(["deny", "deny"]);
    expect(existsSync(join(place.cwd, "held.txt"))).toBe(false);
    expect(session.providerSessionId).toBe(thread);

    await session.execute({ type: "set_policy_mode", mode: null });
    const again = await session.turn(plan("again", [run("touch again.txt")]));
    expect(spoken(again)).toContain("That was all.");
    expect(existsSync(join(place.cwd, "again.txt"))).toBe(true);
    expect(checkGrammar(await session.events())).toEqual([]);
  });

  test("from none ends a turn that runs, as Codex would not ask in it", async () => {
    const session = await AgentSession.create(host, { permission_mode: "full-access" });
    place.standin.scenario("running", ({ round }) => {
      if (round === 0) return [run("true")];
      if (round < 20) return [text("waiting "), gate("mode-set"), run("true")];
      return [text("That was all.")];
    });
    const turnId = await session.say("SCENARIO:running");
    await place.standin.reached("mode-set");
    await session.execute({ type: "set_policy_mode", mode: "planner" });
    place.standin.release("mode-set");
    const events = await session.ended(turnId);
    expect(ending(events)).toMatchObject({ results: ["interrupted"], isStopped: true });
    expect(JSON.stringify(events)).toContain("a policy mode was chosen");
    const next = await session.turn(plan("next", [run("touch next.txt")]));
    expect(decisions(next)).toMatchObject([{ verdict: "deny" }]);
  });

  test("makes no use of what a person allowed before for the whole session", async () => {
    const session = await AgentSession.create(host);
    const first = await session.say(plan("grant", [run("touch granted.txt")]));
    const { suggestions = [] } = await session.asked(first);
    await session.decide(first, { behavior: "allow", updated_permissions: suggestions });
    await session.execute({ type: "set_policy_mode", mode: "planner" });
    const events = await session.turn(plan("grant", [run("touch granted.txt")]));
    expect(decisions(events)).toMatchObject([{ verdict: "deny" }]);
  });
});

describe("a policy mode where Codex would act unasked", () => {
  test.each([
    ["rules/default.rules", 'prefix_rule(pattern=["touch"], decision="allow")\n'],
    ["hooks.json", '{"hooks":{"PermissionRequest":[{"hooks":[]}]}}'],
  ])("is refused with the name of the file %s, and works once that is gone", async (name, body) => {
    const file = join(place.home.path, name);
    mkdirSync(join(file, ".."), { recursive: true });
    const session = await AgentSession.create(host, { policy_mode: "planner" });
    writeFileSync(file, body);
    const first = await session.execute({
      type: "user_message",
      content: plan("unheld", [run("touch unheld.txt")]),
      client_message_id: randomUUID(),
    });
    const failure = await session.until("error");
    expect(failure.data.message).toContain(file);
    expect(first.messageId).not.toBe("");
    expect(existsSync(join(place.cwd, "unheld.txt"))).toBe(false);
    execFileSync("rm", [file]);
    const events = await session.turn(plan("unheld", [run("touch unheld.txt")]));
    expect(decisions(events)).toMatchObject([{ verdict: "deny" }]);
  });
});
