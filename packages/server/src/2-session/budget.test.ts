import { createMemoryStore } from "@turnwire/log";
import {
  type Budget,
  checkGrammar,
  draft,
  fold,
  initialState,
  type SessionEvent,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { eventOf, eventWhere, readAll } from "../test-support/log-reader.ts";
import { eventually, follow, playTurn, reopen, say } from "../test-support/played-session.ts";
import { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { admin, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "./session.ts";
import type { SessionHost } from "../3-host/session-host.ts";

const counting = { budgets: ["tokens", "cost_usd", "minutes", "turns"] } as const;

function openCountingHost(options: Parameters<typeof openTestHost>[0] = {}) {
  const runtime = new ScriptedRuntime({ budgets: [...counting.budgets] });
  return { ...openTestHost({ runtimes: [runtime], ...options }), runtime };
}

async function createWith(host: SessionHost, budget: Budget): Promise<Session> {
  const created = await host.create({ budget }, admin);
  if (!created.ok) throw new Error(created.error.message);
  return created.value;
}

/** Sends a message and lets its turn report that it used so much. */
async function spend(
  session: Session,
  runtime: ScriptedRuntime,
  turn_tokens: number,
  more: object = {},
) {
  const said = await say(session, "work", more);
  if (!said.ok) throw new Error(said.error.message);
  const { run, turnId } = await runtime.sent(said.value.messageId);
  run.say(draft("usage", { turn_tokens }));
  return { run, turnId };
}

const interrupted = (turn_id: string) => [
  draft("result", { turn_id, subtype: "interrupted", is_error: false }),
  draft("done", { turn_id, stopped: true }),
];

/** A session whose first turn was stopped by its budget of 100 tokens, at 120. */
async function stoppedAtLimit(options: Parameters<typeof openTestHost>[0] = {}) {
  const opened = openCountingHost(options);
  const session = await createWith(opened.host, { tokens: 100 });
  const { run, turnId } = await spend(session, opened.runtime, 120);
  const request = await eventOf(session.log, "budget_request");
  await run.wasAsked("interrupt");
  run.say(...interrupted(turnId));
  await eventOf(session.log, "done");
  return { ...opened, session, run, turnId, id: request.data.correlation_id, request };
}

function types(events: readonly SessionEvent[]): string[] {
  return events.map(({ type }) => type);
}

describe("a session that reaches its budget", () => {
  test("stops its turn, asks a person, and the turn's result says why", async () => {
    const { session, turnId, request } = await stoppedAtLimit();
    expect(request).toMatchObject({
      turn_id: turnId,
      data: { reached: ["tokens"], allowed: { tokens: 100 }, used: { tokens: 120 } },
    });
    const result = await eventOf(session.log, "result");
    expect(result.data).toMatchObject({ subtype: "budget_reached", is_error: true });
    expect(session.info().activity).toBe("waiting");
    expect(checkGrammar(await readAll(session.log))).toEqual([]);
  });

  test("below its limit works on undisturbed", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { tokens: 100 });
    const { run, turnId } = await spend(session, runtime, 99);
    run.finish(turnId);
    await eventOf(session.log, "done");
    await playTurn(session, runtime, "next");
    expect(types(await readAll(session.log))).not.toContain("budget_request");
    expect(session.control.session.budget?.used).toMatchObject({ tokens: 99, turns: 2 });
  });

  test("holds what is sent meanwhile; raised, it continues first and then with what waits", async () => {
    const { session, run, id, runtime } = await stoppedAtLimit();
    const later = await say(session, "then this");
    expect(later.ok).toBe(true);
    expect(session.control.queue).toMatchObject([{ delivery: "queue" }]);
    expect(run.asked.filter(({ type }) => type === "send")).toHaveLength(1);
    const raised = await session.execute(
      { type: "budget_response", correlation_id: id, decision: "raise", budget: { tokens: 500 } },
      admin,
    );
    expect(raised.ok).toBe(true);
    const { input } = await run.wasAsked("send", 2);
    expect(input.content).toMatchObject([{ text: expect.stringContaining("Continue") }]);
    run.finish(input.turnId);
    if (!later.ok) return;
    const next = await runtime.sent(later.value.messageId);
    next.run.finish(next.turnId);
    await eventOf(session.log, "done", 3);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    const state = events.reduce(fold, initialState());
    expect(state.messages.filter(({ role }) => role === "user")).toHaveLength(3);
    expect(state.session.budget).toMatchObject({ allowed: { tokens: 500 } });
  });

  test("stopped, takes back what waits and rests; the next message asks again", async () => {
    const { session, run, id } = await stoppedAtLimit();
    await say(session, "then this");
    await session.execute({ type: "budget_response", correlation_id: id, decision: "stop" }, admin);
    expect(session.control.queue).toEqual([]);
    expect(session.info().activity).toBe("idle");
    expect(run.asked.filter(({ type }) => type === "send")).toHaveLength(1);
    await say(session, "after all");
    const again = await eventOf(session.log, "budget_request", 2);
    expect(again.data.correlation_id).not.toBe(id);
    expect(run.asked.filter(({ type }) => type === "send")).toHaveLength(1);
    expect(session.control.queue).toHaveLength(1);
  });

  test("asks again when the new budget is reached too", async () => {
    const { session, run, id } = await stoppedAtLimit();
    await session.execute({ type: "set_budget", budget: { tokens: 200 } }, admin);
    expect(session.control.outcomes[id]).toBe("answered");
    const { input } = await run.wasAsked("send", 2);
    run.say(draft("usage", { turn_tokens: 90 }));
    const again = await eventOf(session.log, "budget_request", 2);
    expect(again.data.used.tokens).toBe(210);
    await run.wasAsked("interrupt", 2);
    run.say(...interrupted(input.turnId));
    await eventOf(session.log, "done", 2);
  });

  test("is refused a raise that would not let it continue", async () => {
    const { session, id } = await stoppedAtLimit();
    const refused = await session.execute(
      { type: "budget_response", correlation_id: id, decision: "raise", budget: { tokens: 120 } },
      admin,
    );
    expect(refused).toMatchObject({ ok: false, error: { code: "invalid_request" } });
    expect(session.control.requests[id]).toBeDefined();
    const other = await session.execute(
      { type: "permission_response", correlation_id: id, behavior: "allow" },
      admin,
    );
    expect(other).toMatchObject({ ok: false, error: { code: "invalid_request" } });
  });

  test("a message that is to start at once is refused", async () => {
    const { session } = await stoppedAtLimit();
    const refused = await say(session, "now", { delivery: "turn" });
    expect(refused).toMatchObject({ ok: false, error: { code: "budget_reached" } });
  });

  test("cancels what its agent was asking", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { tokens: 100 });
    const said = await say(session, "work");
    const { run, turnId } = await runtime.sent(said.ok ? said.value.messageId : undefined);
    run.say(
      draft("permission_request", { correlation_id: "p1", tool_name: "Bash", tool_input: {} }),
      draft("usage", { turn_tokens: 100 }),
    );
    await eventOf(session.log, "budget_request");
    expect(session.control.outcomes["p1"]).toBe("cancelled");
    run.say(...interrupted(turnId));
    await eventOf(session.log, "done");
    expect(checkGrammar(await readAll(session.log))).toEqual([]);
  });
});

describe("a turn that a budget stops", () => {
  test("and that had come to its own end keeps its result; raised, nothing is said to the agent", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { tokens: 100 });
    const { run, turnId } = await spend(session, runtime, 120);
    const request = await eventOf(session.log, "budget_request");
    run.finish(turnId);
    await eventOf(session.log, "done");
    expect((await eventOf(session.log, "result")).data.subtype).toBe("success");
    const raised = await session.execute(
      {
        type: "budget_response",
        correlation_id: request.data.correlation_id,
        decision: "raise",
        budget: null,
      },
      admin,
    );
    expect(raised.ok).toBe(true);
    expect(session.control.queue).toEqual([]);
    expect(session.control.session.budget).toBeUndefined();
  });

  test("and whose agent does not stop in time ends with that result too", async () => {
    const { host, runtime, clock } = openCountingHost({ interruptMs: 1000 });
    const session = await createWith(host, { tokens: 100 });
    const { run } = await spend(session, runtime, 120);
    await run.wasAsked("interrupt");
    await clock.advance(1000);
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(events.findLast(({ type }) => type === "result")?.data).toMatchObject({
      subtype: "budget_reached",
    });
    expect(session.info().activity).toBe("waiting");
    expect(checkGrammar(events)).toEqual([]);
  });

  test("of a runtime that cannot be stopped ends first, and then a person is asked", async () => {
    const runtime = new ScriptedRuntime({ budgets: ["tokens"], interrupt: false });
    const { host } = openTestHost({ runtimes: [runtime] });
    const session = await createWith(host, { tokens: 100 });
    const { run, turnId } = await spend(session, runtime, 120);
    await eventOf(session.log, "usage");
    run.finish(turnId);
    const request = await eventOf(session.log, "budget_request");
    const done = await eventOf(session.log, "done");
    expect(request.seq).toBeGreaterThan(done.seq);
    expect(run.asked.some(({ type }) => type === "interrupt")).toBe(false);
  });
});

describe("an unattended turn", () => {
  test("is stopped with a result that says so, and no one is asked", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { tokens: 100 });
    const { run, turnId } = await spend(session, runtime, 120, { is_unattended: true });
    await run.wasAsked("interrupt");
    run.say(...interrupted(turnId));
    await eventOf(session.log, "done");
    expect((await eventOf(session.log, "result")).data.subtype).toBe("budget_reached");
    expect(session.control.requests).toEqual({});
    expect(session.info().activity).toBe("idle");
    expect(checkGrammar(await readAll(session.log))).toEqual([]);
  });

  test("beyond the budget ends at once, without reaching the agent", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { turns: 1 });
    await playTurn(session, runtime, "one");
    const said = await say(session, "two", { is_unattended: true });
    expect(said.ok).toBe(true);
    const done = await eventOf(session.log, "done", 2);
    const events = await readAll(session.log);
    const result = events.find(
      (event) => event.type === "result" && event.data.turn_id === done.data.turn_id,
    );
    expect(result?.data).toMatchObject({ subtype: "budget_reached", is_error: true });
    expect(result?.data).toMatchObject({ text: expect.stringContaining("1 of 1 turns") });
    expect((await runtime.run()).asked.filter(({ type }) => type === "send")).toHaveLength(1);
  });
});

describe("each limit", () => {
  test("turns: the last allowed turn ends in peace, and no other begins", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { turns: 2 });
    await playTurn(session, runtime, "one");
    await playTurn(session, runtime, "two");
    const request = await eventOf(session.log, "budget_request");
    expect(request.data.reached).toEqual(["turns"]);
    await say(session, "three");
    expect(session.control.turn).toBeNull();
  });

  test("minutes: the time is up by the clock alone, and waiting for a person is free", async () => {
    const { host, runtime, clock } = openCountingHost();
    const session = await createWith(host, { minutes: 2 });
    const said = await say(session, "work");
    const { run, turnId } = await runtime.sent(said.ok ? said.value.messageId : undefined);
    await clock.advance(60_000);
    run.say(
      draft("permission_request", { correlation_id: "p1", tool_name: "Bash", tool_input: {} }),
    );
    await eventOf(session.log, "permission_request");
    await clock.advance(30 * 60_000);
    expect(types(await readAll(session.log))).not.toContain("budget_request");
    await session.execute(
      { type: "permission_response", correlation_id: "p1", behavior: "allow" },
      admin,
    );
    await eventOf(session.log, "permission_resolved");
    await clock.advance(59_000);
    expect(types(await readAll(session.log))).not.toContain("budget_request");
    await clock.advance(1000);
    const request = await eventOf(session.log, "budget_request");
    expect(request.data.reached).toEqual(["minutes"]);
    await run.wasAsked("interrupt");
    run.say(...interrupted(turnId));
    await eventOf(session.log, "done");
    expect(session.control.session.budget?.used.worked_ms).toBe(120_000);
  });

  test("cost: what a turn's result reports counts", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { cost_usd: 0.5 });
    const said = await say(session, "work");
    const { run, turnId } = await runtime.sent(said.ok ? said.value.messageId : undefined);
    const result = { turn_id: turnId, subtype: "success", is_error: false, total_cost_usd: 0.5 };
    run.say(draft("result", result), draft("done", { turn_id: turnId }));
    const request = await eventOf(session.log, "budget_request");
    expect(request.data.reached).toEqual(["cost_usd"]);
  });

  test("that the runtime does not report is refused, at creation and later", async () => {
    const { host } = openTestHost();
    const refused = await host.create({ budget: { cost_usd: 1 } }, admin);
    expect(refused).toMatchObject({
      ok: false,
      error: { code: "capability_missing", details: { field: "budget.cost_usd" } },
    });
    const session = await createWith(host, { turns: 1 });
    const later = await session.execute({ type: "set_budget", budget: { tokens: 5 } }, admin);
    expect(later).toMatchObject({ ok: false, error: { code: "capability_missing" } });
  });

  test("set below what is used already asks at once", async () => {
    const { host, runtime } = openCountingHost();
    const session = await createWith(host, { turns: 5 });
    await playTurn(session, runtime, "one");
    await session.execute({ type: "set_budget", budget: { turns: 1 } }, admin);
    expect((await eventOf(session.log, "budget_request")).data.reached).toEqual(["turns"]);
  });
});

describe("an open budget request", () => {
  test("outlives its agent, the session's sleep and a restart, with what waits", async () => {
    const store = createMemoryStore();
    const { session, id, clock, host, runtime } = await stoppedAtLimit({ store, idleMs: 1000 });
    await say(session, "then this");
    const { ended } = follow(session);
    await clock.advance(5 * 60 * 60_000);
    expect(await ended).toBe("released");
    const slept = await reopen(host, session.id);
    expect(Object.keys(slept.control.requests)).toEqual([id]);
    await host.close();
    const next = openCountingHost({ store });
    await next.host.recover();
    const restarted = await reopen(next.host, session.id);
    expect(Object.keys(restarted.control.requests)).toEqual([id]);
    expect(restarted.control.queue).toHaveLength(1);
    expect(runtime.runs).toHaveLength(1);
    await restarted.execute(
      { type: "budget_response", correlation_id: id, decision: "raise", budget: { tokens: 900 } },
      admin,
    );
    const run = await next.runtime.run();
    const { input } = await run.wasAsked("send");
    expect(input.content).toMatchObject([{ text: expect.stringContaining("Continue") }]);
    run.finish(input.turnId);
    const { input: then } = await run.wasAsked("send", 2);
    expect(then.content).toMatchObject([{ text: "then this" }]);
    run.finish(then.turnId);
    await eventOf(restarted.log, "done", 3);
    expect(checkGrammar(await readAll(restarted.log))).toEqual([]);
  });

  test("ends with its session, and with the way into the archive", async () => {
    const { session, id, host } = await stoppedAtLimit();
    await session.execute({ type: "archive" }, admin);
    expect(session.control.outcomes[id]).toBe("cancelled");
    await session.execute({ type: "unarchive" }, admin);
    await eventOf(session.log, "budget_request", 2);
    const closed = eventWhere(session.log, ({ type }) => type === "session_closed");
    await host.delete(session.id, admin);
    await closed;
    expect(session.control.requests).toEqual({});
  });

  test("is not of a copy: that counts from zero, with the same limits", async () => {
    const { session, host } = await stoppedAtLimit();
    const forked = await session.execute({ type: "fork" }, admin);
    const copy = await reopen(host, (forked.ok && forked.value.forked?.session_id) || "");
    expect(copy.control.requests).toEqual({});
    expect(copy.control.session.budget).toEqual({
      allowed: { tokens: 100 },
      used: { tokens: 0, cost_usd: 0, worked_ms: 0, turns: 0 },
    });
    expect(checkGrammar(await readAll(copy.log))).toEqual([]);
  });
});

test("a turn that was lost with its server counts no time while none ran", async () => {
  const store = createMemoryStore();
  const { host, runtime, clock } = openCountingHost({ store });
  const session = await createWith(host, { minutes: 100 });
  const said = await say(session, "work");
  const { run } = await runtime.sent(said.ok ? said.value.messageId : undefined);
  await clock.advance(60_000);
  run.say(draft("usage", { turn_tokens: 1 }));
  await eventOf(session.log, "usage");
  const day = 24 * 60 * 60_000;
  await store.releaseLease(session.id, 1);
  const next = openCountingHost({ store });
  await next.clock.advance(day);
  const restarted = await reopen(next.host, session.id);
  await eventually(() => restarted.control.turn === null);
  expect(restarted.control.session.budget?.used.worked_ms).toBe(60_000);
});
