import { gate, rounds, text, toolUse } from "@turnwire/conformance/anthropic-standin";
import type { JsonObject, SessionEvent } from "@turnwire/protocol";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { greeting, stdioLab } from "../../../runtime/src/test-support/mcp-lab.ts";
import { useClaudePlace } from "../test-support/claude-place.ts";
import { ClaudeSession, ending, openClaudeHost, spoken } from "../test-support/claude-session.ts";

const touch = (name: string) => toolUse("Bash", { command: `touch ${name}`, description: "d" });
const helper = (more: JsonObject) =>
  toolUse("Agent", {
    description: "help",
    prompt: "SCENARIO:touch helped.txt",
    subagent_type: "general-purpose",
    ...more,
  });
const place = useClaudePlace({
  scenarios: {
    touch: ({ argument, round }) => (round === 0 ? [touch(argument)] : [text("Done.")]),
    helped: rounds([helper({ run_in_background: false })], [text("Done.")]),
    "helped-later": rounds([helper({})], [text("Done.")]),
    greet: ({ round, toolResults }) =>
      round === 0 ? [toolUse("mcp__lab__greet", {})] : [text(toolResults.join(" "))],
    shown: rounds(
      [toolUse("mcp__turnwire__render_component", { name: "card", surface: "chat", props: {} })],
      [text("Done.")],
    ),
  },
});
let host: SessionHost;

function openHost(warmProcesses: number): SessionHost {
  return openClaudeHost(place, { env: { ...place.env, IS_SANDBOX: "1" }, warmProcesses });
}

beforeAll(() => {
  host = openHost(0);
});
afterAll(() => host.close());

type Creation = NonNullable<Parameters<typeof ClaudeSession.create>[1]>;

function create(policyMode: string, more: Creation = {}, by = host): Promise<ClaudeSession> {
  return ClaudeSession.create(by, {
    permission_mode: "bypassPermissions",
    policy_mode: policyMode,
    ...more,
  });
}

function decisions(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "policy_decision" ? [event.data] : []));
}

function verdicts(events: readonly SessionEvent[]): string[] {
  return decisions(events).map(({ tool, verdict }) => `${tool} ${verdict}`);
}

function isMade(name: string): boolean {
  return existsSync(join(place.cwd, name));
}

describe("what the policy asks, a person decides, also in bypassPermissions", () => {
  let own: ClaudeSession;

  beforeAll(async () => {
    own = await create("implementation");
  });
  afterAll(() => own.session.hibernate());

  test("and hears why; what they allow runs", async () => {
    const turnId = await own.say("SCENARIO:touch ../asked.txt");
    const { policy } = await own.asked(turnId);
    expect(policy).toMatchObject({ mode: "implementation", rule: "write.outside" });
    expect(isMade("../asked.txt")).toBe(false);
    const events = await own.decide(turnId, { behavior: "allow" });
    expect(isMade("../asked.txt")).toBe(true);
    expect(verdicts(events)).toEqual(["Bash ask"]);
  });

  test("what they refuse does not run, and a refusal may stop the turn", async () => {
    const refused = await own.say("SCENARIO:touch ../refused.txt");
    const events = await own.decide(refused, { behavior: "deny", message: "not there" });
    expect(JSON.stringify(events)).toContain("not there");
    expect(ending(events)).toMatchObject({ results: ["success"] });
    const stopped = await own.say("SCENARIO:touch ../refused.txt");
    const last = await own.decide(stopped, { behavior: "deny", interrupt: true });
    expect(ending(last)).toEqual({
      results: ["interrupted"],
      isError: false,
      isStopped: true,
      done: 1,
    });
    expect(isMade("../refused.txt")).toBe(false);
    expect(ending(await own.turn("SCENARIO:text next"))).toMatchObject({ results: ["success"] });
  });

  test("a turn that is stopped meanwhile runs nothing", async () => {
    const turnId = await own.say("SCENARIO:touch ../stopped.txt");
    await own.asked(turnId);
    await own.execute({ type: "interrupt" });
    expect(ending(await own.ended(turnId))).toMatchObject({ isStopped: true });
    expect(isMade("../stopped.txt")).toBe(false);
  });

  test("they cannot allow what a mode refuses that was set meanwhile", async () => {
    const turnId = await own.say("SCENARIO:touch ../late.txt");
    await own.asked(turnId);
    await own.execute({ type: "set_policy_mode", mode: "planner" });
    await expect(own.decide(turnId, { behavior: "allow" })).rejects.toThrow(/planner denies this/);
    await own.decide(turnId, { behavior: "deny" });
    expect(isMade("../late.txt")).toBe(false);
    await own.execute({ type: "set_policy_mode", mode: "implementation" });
  });
});

describe("a change of the mode holds from the next call on, in the middle of a turn", () => {
  test.each([
    ["implementation", "planner", ["Bash allow", "Bash deny"], false],
    ["unrestricted", null, ["Bash allow"], true],
  ])("from %s to %s", async (from, to, expected, isAllowed) => {
    const own = await create(from);
    place.standin.scenario(
      "touch-twice",
      rounds(
        [touch("before.txt")],
        [gate(`${from}-held`), touch(`after-${from}.txt`)],
        [text("Done.")],
      ),
    );
    const turnId = await own.say("SCENARIO:touch-twice");
    await place.standin.reached(`${from}-held`);
    await own.execute({ type: "set_policy_mode", mode: to });
    place.standin.release(`${from}-held`);
    expect(verdicts(await own.ended(turnId))).toEqual(expected);
    expect(isMade(`after-${from}.txt`)).toBe(isAllowed);
    await own.session.hibernate();
  });
});

describe("the policy holds", () => {
  let planner: ClaudeSession;

  beforeAll(async () => {
    planner = await create("planner");
  });
  afterAll(() => planner.session.hibernate());

  test.each(["helped", "helped-later"])("in sub-agents: %s", async (scenario) => {
    const turnId = await planner.say(`SCENARIO:${scenario}`);
    const { correlation_id } = await planner.asked(turnId);
    await planner.execute({ type: "permission_response", correlation_id, behavior: "allow" });
    const refusal = await planner.until(
      "policy_decision",
      ({ subagent_id }) => subagent_id === correlation_id,
    );
    expect(refusal).toMatchObject({ data: { tool: "Bash", verdict: "deny" } });
    await planner.until("tool_result", ({ subagent_id }) => subagent_id === correlation_id);
    await planner.ended(turnId);
    expect(isMade("helped.txt")).toBe(false);
  });

  test("for tools of MCP servers", async () => {
    const own = await create("planner", { mcp_servers: { lab: stdioLab("secret") } });
    const events = await own.ended(await own.say("SCENARIO:greet", { is_unattended: true }));
    expect(verdicts(events)).toEqual(["mcp__lab__greet deny"]);
    expect(spoken(events)).not.toContain(greeting("secret"));
    await own.execute({ type: "set_policy_mode", mode: "unrestricted" });
    expect(spoken(await own.turn("SCENARIO:greet"))).toContain(greeting("secret"));
    await own.session.hibernate();
  });

  test("but not for the tools with which the agent shows something", async () => {
    const events = await planner.turn("SCENARIO:shown");
    expect(events.map(({ type }) => type)).toContain("component_update");
    expect(decisions(events)).toEqual([]);
  });

  test("in a process that was started before the session was known", async () => {
    const warm = openHost(1);
    onTestFinished(() => warm.close());
    const before = await ClaudeSession.create(warm);
    await before.turn("SCENARIO:text fill");
    const own = await create("planner", { permission_mode: "acceptEdits" }, warm);
    expect(verdicts(await own.turn("SCENARIO:touch warm.txt"))).toEqual(["Bash deny"]);
    await own.execute({ type: "set_permission_mode", mode: "bypassPermissions" });
    expect(verdicts(await own.turn("SCENARIO:touch warm.txt"))).toEqual(["Bash deny"]);
    expect(isMade("warm.txt")).toBe(false);
    await own.session.hibernate();
  });

  test("after a sleep, in a fork and after a rollback", async () => {
    const own = await create("planner");
    await own.turn("SCENARIO:text one");
    await own.session.hibernate();
    const woken = await ClaudeSession.open(host, own.session.id);
    const turnId = await woken.say("SCENARIO:touch again.txt");
    expect(verdicts(await woken.ended(turnId))).toEqual(["Bash deny"]);
    const { forked } = await woken.execute({ type: "fork" });
    const fork = await ClaudeSession.open(host, forked?.session_id ?? "");
    expect(verdicts(await fork.turn("SCENARIO:touch again.txt"))).toEqual(["Bash deny"]);
    await woken.execute({ type: "rollback", turn_id: turnId });
    expect(verdicts(await woken.turn("SCENARIO:touch again.txt"))).toEqual(["Bash deny"]);
    expect(isMade("again.txt")).toBe(false);
  });

  test("without the CLI asking about what it allows, and without loosening plan mode", async () => {
    const own = await create("implementation", { permission_mode: "default" });
    const events = await own.turn("SCENARIO:touch plain.txt");
    expect(events.some(({ type }) => type === "permission_request")).toBe(false);
    expect(isMade("plain.txt")).toBe(true);
    await own.execute({ type: "set_permission_mode", mode: "plan" });
    const turnId = await own.say("SCENARIO:touch planned.txt");
    await Promise.race([own.asked(turnId), own.ended(turnId)]);
    expect(isMade("planned.txt")).toBe(false);
    await own.session.hibernate();
  });
});
