import { checkGrammar, type SessionEvent } from "@turnwire/protocol";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { SessionHost } from "../../../server/src/3-host/session-host.ts";
import { admin } from "../../../server/src/test-support/test-host.ts";
import { AgentSession, ending, spoken } from "../../../runtime/src/test-support/agent-session.ts";
import { longCommand, processesWith, useCodexPlace } from "../test-support/codex-place.ts";

const place = useCodexPlace();
let host: SessionHost;
let shared: AgentSession;

beforeAll(async () => {
  host = place.openHost();
  shared = await AgentSession.create(host);
});

afterAll(async () => {
  const violations = checkGrammar(await shared.events());
  await host.close();
  if (violations.length > 0) throw new Error(JSON.stringify(violations));
});

const success = { results: ["success"], isError: false, isStopped: false, done: 1 };
const stopped = { results: ["interrupted"], isError: false, isStopped: true, done: 1 };

function toolResults(events: readonly SessionEvent[]) {
  return events.flatMap((event) => (event.type === "tool_result" ? [event.data] : []));
}

function hasAsked(events: readonly SessionEvent[]): boolean {
  return events.some(({ type }) => type === "permission_request");
}

describe("a session of Codex", () => {
  test("answers, and reports its provider session and models", async () => {
    const events = await shared.turn("SCENARIO:text hello there");
    expect(spoken(events)).toBe("hello there");
    expect(ending(events)).toEqual(success);
    expect(shared.providerSessionId).toMatch(/^[0-9a-f-]{36}$/);
    expect(shared.session.control.session.capabilities.models.length).toBeGreaterThan(0);
  });

  test("gives a long answer whole, and one that comes without deltas", async () => {
    const long = await shared.turn("SCENARIO:long 2000");
    expect(spoken(long).split(" ").filter(Boolean)).toHaveLength(2000);
    expect(spoken(await shared.turn("SCENARIO:whole all at once"))).toBe("all at once");
  });

  test("shows what it thinks", async () => {
    const events = await shared.turn("SCENARIO:thinking so");
    const thought = events.flatMap((event) => (event.type === "thinking" ? [event.data.text] : []));
    expect(thought.join("")).toContain("Looking");
    expect(spoken(events)).toBe("so");
  });

  test("asks before a command, and runs it when allowed", async () => {
    const turnId = await shared.say("SCENARIO:tool echo ran > allowed.txt; echo ran");
    const asked = await shared.asked(turnId);
    expect(JSON.stringify(asked.tool_input)).toContain("allowed.txt");
    expect(existsSync(join(place.cwd, "allowed.txt"))).toBe(false);
    const events = await shared.decide(turnId, { behavior: "allow" });
    expect(toolResults(events)).toMatchObject([{ is_error: false, exit_code: 0 }]);
    expect(existsSync(join(place.cwd, "allowed.txt"))).toBe(true);
    expect(ending(events)).toEqual(success);
  });

  test("does not run a denied command, and continues", async () => {
    const turnId = await shared.say("SCENARIO:tool touch denied.txt");
    const events = await shared.decide(turnId, { behavior: "deny" });
    expect(existsSync(join(place.cwd, "denied.txt"))).toBe(false);
    expect(spoken(events)).toContain("reject");
    expect(ending(events)).toEqual(success);
  });

  test("gives the agent the reason why a command was denied", async () => {
    const turnId = await shared.say("SCENARIO:tool touch denied.txt");
    const events = await shared.decide(turnId, { behavior: "deny", message: "not on a Sunday" });
    const sent = JSON.stringify(place.standin.requests.at(-1)?.body);
    expect(sent).toContain("I declined that: not on a Sunday");
    expect(existsSync(join(place.cwd, "denied.txt"))).toBe(false);
    expect(events.filter(({ type }) => type === "user_message")).toEqual([]);
    expect(ending(events)).toEqual(success);
  });

  test("stops the turn when a command is denied with an interrupt, and answers the next", async () => {
    const turnId = await shared.say("SCENARIO:tool touch denied.txt");
    const events = await shared.decide(turnId, { behavior: "deny", interrupt: true });
    expect(ending(events)).toEqual(stopped);
    expect(ending(await shared.turn("SCENARIO:text next"))).toEqual(success);
  });

  test("does not ask again for what a person allowed for the session", async () => {
    const own = await AgentSession.create(host);
    const first = await own.say("SCENARIO:tool echo again");
    const { suggestions = [] } = await own.asked(first);
    expect(suggestions).not.toEqual([]);
    await own.decide(first, { behavior: "allow", updated_permissions: suggestions });
    const events = await own.turn("SCENARIO:tool echo again");
    expect(hasAsked(events)).toBe(false);
    expect(toolResults(events)).toMatchObject([{ is_error: false }]);
    await own.session.hibernate();
  });

  test("takes answers to its questions", async () => {
    const turnId = await shared.say("SCENARIO:question");
    const events = await shared.answerQuestion(turnId, { "Which database?": "SQLite" });
    expect(spoken(events)).toContain("SQLite");
    expect(ending(events)).toEqual(success);
  });

  test("shows its plan", async () => {
    const events = await shared.turn("SCENARIO:plan");
    const plans = events.flatMap((event) => (event.type === "plan" ? [event.data] : []));
    expect(plans.at(-1)?.steps).toHaveLength(3);
  });

  test("uses a tool of the user interface, also after a sleep", async () => {
    const input_schema = { type: "object", properties: { id: { type: "string" } } };
    const tool = { name: "lookup_ticket", description: "Looks up a ticket", input_schema };
    const own = await AgentSession.create(host, { params: { frontend_tools: [tool] } });
    for (const output of ["ticket T-1 is open", "ticket T-1 is closed"]) {
      const turnId = await own.say('SCENARIO:dynamic lookup_ticket {"id":"T-1"}');
      const { data } = await own.until("tool_call_request", (event) => event.turn_id === turnId);
      expect(data).toMatchObject({ tool_name: "lookup_ticket", input: { id: "T-1" } });
      const { correlation_id } = data;
      await own.execute({ type: "tool_call_response", correlation_id, output });
      expect(spoken(await own.ended(turnId))).toContain(output);
      await own.session.hibernate();
    }
  });

  const tool = { name: "w", description: "d", input_schema: { type: "object" } };
  test.each([
    ["a name with capitals", [{ ...tool, name: "LocalWeather" }], "small letters"],
    ["a name of the agent's own", [{ ...tool, name: "exec_command" }], "already a tool"],
    ["a name twice", [tool, tool], "already a tool w"],
    ["a schema of no object", [{ ...tool, input_schema: { type: "string" } }], "object"],
    ["no list", { w: tool }, "array"],
  ])("is not created with frontend tools that have %s", async (_, frontend_tools, why) => {
    const created = await host.create({ params: { frontend_tools } }, admin);
    expect(created).toMatchObject({
      ok: false,
      error: { code: "invalid_request", retryable: false },
    });
    expect(JSON.stringify(created)).toContain(why);
  });

  test("is not created with a tool that Codex has itself, by what it offers its model", async () => {
    await shared.turn("SCENARIO:text tools");
    const { body } = place.standin.requests.at(-1) ?? {};
    const names = Array.from(
      JSON.stringify(body).matchAll(/"type":"(?:function|custom)","name":"([a-z_]+)"/g),
      ([, name = ""]) => name,
    );
    expect(names).toContain("exec_command");
    for (const name of names) {
      const params = { frontend_tools: [{ ...tool, name }] };
      expect([name, (await host.create({ params }, admin)).ok]).toEqual([name, false]);
    }
  });

  test("stops a turn that has only just been sent", async () => {
    const turnId = await shared.say("SCENARIO:hold barely-begun");
    await shared.execute({ type: "interrupt" });
    expect(ending(await shared.ended(turnId))).toEqual(stopped);
  });

  test("takes a word into the running turn", async () => {
    const turnId = await shared.say("SCENARIO:hold steered");
    await place.standin.reached("steered");
    await shared.execute({ type: "steer", content: "SCENARIO:text turned round" });
    const events = await shared.ended(turnId);
    expect(spoken(events)).toContain("turned round");
    expect(ending(events)).toEqual(success);
  });

  test("takes what is said meanwhile as the next turn", async () => {
    const first = await shared.say("SCENARIO:hold queued");
    await place.standin.reached("queued");
    const { messageId } = await shared.execute({
      type: "user_message",
      content: "SCENARIO:text second",
      delivery: "queue",
      client_message_id: "queued-message",
    });
    place.standin.release("queued");
    expect(ending(await shared.ended(first))).toEqual(success);
    const started = await shared.until("turn_started", ({ data }) => data.message_id === messageId);
    expect(spoken(await shared.ended(started.data.turn_id))).toBe("second");
  });

  test("ends a running command with the turn that a person stops", async () => {
    const words = longCommand();
    const turnId = await shared.say(`SCENARIO:tool ${words}`);
    const { correlation_id } = await shared.asked(turnId);
    await shared.execute({ type: "permission_response", correlation_id, behavior: "allow" });
    await expect.poll(() => processesWith(words)).not.toEqual([]);
    await shared.execute({ type: "interrupt" });
    expect(ending(await shared.ended(turnId))).toEqual(stopped);
    await expect.poll(() => processesWith(words)).toEqual([]);
    expect(ending(await shared.turn("SCENARIO:text next"))).toEqual(success);
  });

  test("ends a running command when its session is released", async () => {
    const words = longCommand();
    const own = await AgentSession.create(host, { permission_mode: "auto" });
    await own.say(`SCENARIO:tool ${words}`);
    await expect.poll(() => processesWith(words)).not.toEqual([]);
    await own.session.end({ type: "release" });
    expect(await processesWith(words)).toEqual([]);
  });

  test("asks less in a mode that asks less, from the next turn on", async () => {
    const own = await AgentSession.create(host);
    const asking = await own.say("SCENARIO:tool echo one");
    await own.decide(asking, { behavior: "allow" });
    await own.execute({ type: "set_permission_mode", mode: "auto" });
    const events = await own.turn("SCENARIO:tool echo two");
    expect(hasAsked(events)).toBe(false);
    expect(spoken(events)).toContain("two");
    await own.execute({ type: "set_permission_mode", mode: "default" });
    const again = await own.say("SCENARIO:tool echo three");
    await own.decide(again, { behavior: "allow" });
    await own.session.hibernate();
  });

  test("writes nothing where the sandbox only reads", async () => {
    const params = { sandbox: "read-only", approval_policy: "never" };
    const own = await AgentSession.create(host, { params });
    const events = await own.turn("SCENARIO:tool touch forbidden.txt");
    expect(ending(events)).toEqual(success);
    expect(existsSync(join(place.cwd, "forbidden.txt"))).toBe(false);
    await own.session.hibernate();
  });

  test("asks the model that the session names, with its effort", async () => {
    const own = await AgentSession.create(host, { effort: "low" });
    await own.turn("SCENARIO:text first");
    await own.execute({ type: "set_model", model: "gpt-5.4" });
    await own.turn("SCENARIO:text second");
    expect(place.standin.requests.at(-1)?.body).toMatchObject({
      model: "gpt-5.4",
      reasoning: { effort: "low" },
    });
    await own.session.hibernate();
  });

  test("runs a sub-agent under the tool use that spawned it", async () => {
    const agents = place.openHost({ config: { "features.multi_agent_v2": true } });
    const own = await AgentSession.create(agents);
    const events = await own.turn("SCENARIO:agent SCENARIO:text from below");
    const spawn = events.find(
      (event) => event.type === "tool_start" && event.data.subagent_spawn === true,
    );
    expect(spawn).toBeDefined();
    const below = events.filter((event) => event.subagent_id !== undefined);
    expect(spoken(below)).toContain("from below");
    expect(ending(events)).toEqual(success);
    await agents.close();
  });

  test("never makes a project trusted by working in it", async () => {
    const config = await readFile(join(place.home.path, "config.toml"), "utf8");
    expect(config).not.toContain("trust_level");
  });

  test("takes back what a broken stream had said, and says it again", async () => {
    const events = await shared.turn("SCENARIO:cut-once");
    const completed = events.flatMap((event) =>
      event.type === "message_complete" ? [JSON.stringify(event.data.message.content)] : [],
    );
    expect(completed.join()).toContain("whole");
    expect(ending(events)).toEqual(success);
  });
});
