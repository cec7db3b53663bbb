import { draft, foldAll, initialState, type SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore, type Store } from "@turnwire/log";
import { interceptStore } from "../../../log/src/test-support/intercepted-store.ts";
import { eventOf, eventWhere, readAll } from "../test-support/log-reader.ts";
import { gate, reopen } from "../test-support/played-session.ts";
import type { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "../2-session/session.ts";
import type { AuditLog } from "./audit/audit-log.ts";

/** Plays one whole turn and answers with its id. */
async function playTurn(session: Session, runtime: ScriptedRuntime, text: string): Promise<string> {
  const said = await session.execute({ type: "user_message", content: text }, admin);
  if (!said.ok) throw new Error(said.error.message);
  const { run, turnId } = await runtime.sent(said.value.messageId);
  run.say(draft("delta", { message_id: `answer-${text}`, text: `re: ${text}` }));
  run.finish(turnId);
  await eventWhere(session.log, (event) => event.type === "done" && event.data.turn_id === turnId);
  return turnId;
}

describe("a session host", () => {
  test("settles after a crash what the dead process left, and runs what was only accepted", async () => {
    const store = createMemoryStore();
    const crashed = openTestHost({ store });
    const session = await createTestSession(crashed.host);
    await session.execute({ type: "user_message", content: "in flight" }, admin);
    const run = await crashed.runtime.run();
    await run.wasAsked("send");
    run.say(
      draft("question_request", {
        correlation_id: "q1",
        questions: [{ question: "Which?", options: [] }],
      }),
    );
    await eventOf(session.log, "question_request");
    await session.execute({ type: "user_message", content: "accepted" }, admin);

    await crashed.crash();
    const { host, runtime } = openTestHost({ store });
    await host.recover();
    const revived = await reopen(host, session.id);
    const { input } = await (await runtime.run()).wasAsked("send");
    expect(input.content).toEqual([{ type: "text", text: "accepted" }]);
    const events = await readAll(revived.log);
    expect(events.map((event) => event.seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.slice(5).map((event) => event.type)).toEqual([
      "question_resolved",
      "error",
      "done",
      "session_updated",
      "turn_started",
      "session_updated",
    ]);
    expect(events[5]?.data).toMatchObject({ outcome: "orphaned" });
    expect(events[6]?.data).toMatchObject({ code: "turn_lost" });
    expect(runtime.runs).toHaveLength(1);
  });

  test("is closed only when the audit log has every act", async () => {
    const recorded: string[] = [];
    const { opened, open } = gate();
    const audit: AuditLog = {
      record: async ({ action }) => {
        await opened;
        await new Promise((resolve) => setImmediate(resolve));
        recorded.push(action);
      },
      read: async () => ({ lines: "", mark: undefined }),
    };
    const { host } = openTestHost({ audit });
    host.changes.subscribe({
      onChange: () => undefined,
      onMissed: () => undefined,
      onEnd: open,
    });
    host.audit({ action: "trust", outcome: "accepted" });
    await host.close();
    expect(recorded).toEqual(["trust"]);
  });

  test.each([
    ["whole", {}],
    ["trimmed", { retainEvents: 10, ringSize: 10 }],
  ])(
    "ends the tasks of an agent that died with its process, in a log that is %s",
    async (_, options) => {
      const store = createMemoryStore();
      const crashed = openTestHost({ store, ...options });
      const session = await createTestSession(crashed.host);
      await session.execute({ type: "user_message", content: "build" }, admin);
      const run = await crashed.runtime.run();
      const { input } = await run.wasAsked("send");
      run.say(
        draft("task", { task_id: "t1", status: "running", description: "npm run build" }),
        draft("task", { task_id: "t2", status: "running" }),
        draft("task", { task_id: "t2", status: "completed" }),
      );
      for (let index = 0; index < 40; index += 1)
        run.say(draft("notice", { level: "info", text: `${index}` }));
      run.finish(input.turnId);
      await eventOf(session.log, "done");
      await crashed.crash();
      const { host } = openTestHost({ store, ...options });
      const revived = await reopen(host, session.id);
      const { state } = await revived.snapshot();
      expect(state.tasks).toMatchObject({
        t1: {
          status: "stopped",
          description: "npm run build",
          summary: expect.stringContaining("stopped"),
        },
        t2: { status: "completed" },
      });
    },
  );

  test("fences a process that lost its session", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store });
    const stale = await createTestSession(first.host);
    await first.crash();
    const second = openTestHost({ store });
    const current = await reopen(second.host, stale.id);
    const refused = await stale.execute({ type: "rename", title: "mine" }, admin);
    expect(refused).toMatchObject({ ok: false, error: { code: "store_unavailable" } });
    expect(await current.execute({ type: "rename", title: "yours" }, admin)).toMatchObject({
      ok: true,
    });
  });

  test("shows no one the sessions of somebody else", async () => {
    const { host } = openTestHost();
    const alice = { id: "alice", isAdmin: false };
    const bob = { id: "bob", isAdmin: false };
    const session = await createTestSession(host, alice);
    const foreign = await host.open(session.id, bob);
    const unknown = await host.open("unknown", bob);
    expect(foreign).toMatchObject({ ok: false, error: { code: "session_not_found" } });
    expect(unknown).toMatchObject({ ok: false, error: { code: "session_not_found" } });
    expect(await host.delete(session.id, bob)).toMatchObject({ ok: false });
    const listed = await host.list({ principal: bob, limit: 10 });
    expect(listed).toEqual({ sessions: [] });
    expect(await host.list({ principal: alice, limit: 10 })).toMatchObject({
      sessions: [{ session_id: session.id }],
    });
  });

  test("hibernates the longest idle agent when another needs its place", async () => {
    const { host, runtime } = openTestHost({ maxLiveRuns: 2 });
    const sessions = [];
    for (const name of ["a", "b", "c"]) {
      const session = await createTestSession(host);
      sessions.push(session);
      await session.execute({ type: "user_message", content: name }, admin);
      const run = await runtime.run(sessions.length - 1);
      const { input } = await run.wasAsked("send");
      run.finish(input.turnId);
      await eventOf(session.log, "done");
    }
    expect(sessions.map((session) => session.hasAgent)).toEqual([false, true, true]);
    expect(host.metrics.liveRuns).toBe(2);
  });

  test("lets a turn wait for a place while all agents work", async () => {
    const { host, runtime } = openTestHost({ maxLiveRuns: 1 });
    const busy = await createTestSession(host);
    await busy.execute({ type: "user_message", content: "long" }, admin);
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const waiting = await createTestSession(host);
    await waiting.execute({ type: "user_message", content: "short" }, admin);
    const { turn_id } = await eventOf(waiting.log, "turn_started");
    const notice = await eventOf(waiting.log, "notice");
    expect([notice.turn_id, notice.data.text]).toEqual([
      turn_id,
      "Waiting for a free agent: all 1 that this server runs at once are busy.",
    ]);
    expect(runtime.runs).toHaveLength(1);
    run.finish(input.turnId);
    await (await runtime.run(1)).wasAsked("send");
    expect(busy.hasAgent).toBe(false);
  });

  test("deletes a session in mid-turn: one end, a closed log, nothing left", async () => {
    const { host, runtime, store } = openTestHost();
    const session = await createTestSession(host);
    await session.execute({ type: "user_message", content: "go" }, admin);
    const run = await runtime.run();
    await run.wasAsked("send");
    const types: string[] = [];
    const ended = new Promise<string>((resolve) => {
      session.log.subscribe({
        onEvents: (events) => types.push(...events.map((event) => event.type)),
        onEnd: resolve,
      });
    });
    expect(await host.delete(session.id, admin)).toEqual({ ok: true, value: undefined });
    expect(await ended).toBe("closed");
    expect(types).toEqual(["done", "session_closed"]);
    await run.wasAsked("close");
    expect(await store.getSession(session.id)).toBeUndefined();
    expect(await host.delete(session.id, admin)).toMatchObject({
      error: { code: "session_not_found" },
    });
  });

  test("forks at a turn: the copy has the conversation up to it and its own future", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const first = await playTurn(session, runtime, "one");
    runtime.runs[0]?.say(draft("session_updated", { provider_session_id: "p1" }));
    await eventOf(session.log, "session_updated");
    await playTurn(session, runtime, "two");
    const forked = await session.execute({ type: "fork", turn_id: first, title: "branch" }, admin);
    if (!forked.ok || !forked.value.forked) throw new Error("not forked");
    const copy = await reopen(host, forked.value.forked.session_id);
    const events = await readAll(copy.log);
    expect(events[0]?.data).toMatchObject({
      title: "branch",
      forked_from: { session_id: session.id },
      provider_session_id: "fork-of-1",
    });
    const state = foldAll(initialState(), events);
    const original = foldAll(initialState(), await readAll(session.log));
    expect(state.messages.map((message) => message.id)).toEqual(
      original.messages.slice(0, 2).map((message) => message.id),
    );
    await copy.execute({ type: "user_message", content: "elsewhere" }, admin);
    expect((await runtime.run(1)).options.resume).toBe("fork-of-1");
  });

  test("copies a long log page by page and runs nothing of it again", async () => {
    const memory = createMemoryStore();
    const store: Store = interceptStore(memory, {
      async read(sessionId, after, limit) {
        await new Promise((resolve) => {
          setImmediate(() => setImmediate(resolve));
        });
        return memory.read(sessionId, after, limit);
      },
    });
    const { host, runtime } = openTestHost({ store, ringSize: 2 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const pad = async (upTo: number) => {
      const notice = draft("notice", { level: "info", text: "" });
      const count = upTo - session.log.head;
      runtime.runs[0]?.say(...Array.from({ length: count }, () => notice));
      await eventWhere(session.log, (event) => event.seq === upTo);
    };
    await pad(999);
    await playTurn(session, runtime, "two");
    await pad(1100);
    await playTurn(session, runtime, "three");
    const middle = await session.log.read(999, 2);
    expect(middle.map((event) => event.type)).toEqual(["user_message", "turn_started"]);
    const forked = await session.execute({ type: "fork" }, admin);
    if (!forked.ok || !forked.value.forked) throw new Error("not forked");
    const copy = await reopen(host, forked.value.forked.session_id);
    expect(copy.log.head).toBe(session.log.head);
    expect(copy.info().activity).toBe("idle");
    expect(runtime.runs).toHaveLength(1);
  });

  test("rolls back: the agent forgets, then the log says so", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const second = await playTurn(session, runtime, "two");
    expect(await session.execute({ type: "rollback", turn_id: "unknown" }, admin)).toMatchObject({
      error: { code: "invalid_request" },
    });
    expect(await session.execute({ type: "rollback", turn_id: second }, admin)).toMatchObject({
      ok: true,
    });
    expect(await runtime.runs[0]?.wasAsked("rollback")).toMatchObject({ turnIndex: 1 });
    const state = foldAll(initialState(), await readAll(session.log));
    expect(state.messages).toHaveLength(2);
  });

  test("keeps only what retention allows, and the snapshot stays whole", async () => {
    const { host, runtime, store } = openTestHost({ retainEvents: 10, ringSize: 10 });
    const session = await createTestSession(host);
    const all: SessionEvent[] = [];
    session.log.subscribe({
      onEvents: (events) =>
        all.push(...events.map((event): SessionEvent => JSON.parse(event.json))),
      onEnd: () => undefined,
    });
    all.push(...(await readAll(session.log)));
    for (let turn = 0; turn < 10; turn++) await playTurn(session, runtime, `turn ${turn}`);
    await expect.poll(async () => (await store.readBase(session.id))?.seq ?? 0).toBeGreaterThan(30);
    expect(session.log.verdict(1)).toMatchObject({ type: "gap" });
    const snapshot = await session.snapshot();
    expect(snapshot.state).toEqual(foldAll(initialState(), all));
  });

  test("drains on close: turns are settled, sessions sleep, nothing new starts", async () => {
    const { host, runtime, store } = openTestHost();
    const session = await createTestSession(host);
    await session.execute({ type: "user_message", content: "go" }, admin);
    const run = await runtime.run();
    await run.wasAsked("send");
    await host.close();
    await run.wasAsked("close");
    expect(await store.getSession(session.id)).toMatchObject({
      status: "hibernated",
      activity: "idle",
    });
    expect(await host.create({}, admin)).toMatchObject({ error: { code: "shutting_down" } });
    expect(await host.open(session.id, admin)).toMatchObject({ error: { code: "shutting_down" } });
  });

  test("a session whose id somebody else asks for can be opened meanwhile", async () => {
    const { host, store } = openTestHost();
    await host.create({ session_id: "taken" }, admin);
    await host.close();
    let refuse: () => void = () => undefined;
    const refused = new Promise<void>((resolve) => {
      refuse = resolve;
    });
    let note: () => void = () => undefined;
    const isAsked = new Promise<void>((resolve) => {
      note = resolve;
    });
    const slow = interceptStore(store, {
      createSession: async (...parameters) => {
        note();
        await refused;
        return store.createSession(...parameters);
      },
    });
    const { host: later } = openTestHost({ store: slow });
    const again = later.create({ session_id: "taken" }, admin);
    await isAsked;
    const opened = later.openOrRead("taken", admin);
    refuse();
    expect(await again).toMatchObject({ ok: false, error: { code: "session_exists" } });
    expect(await opened).toMatchObject({ ok: true });
  });

  test("refuses what it does not know", async () => {
    const { host } = openTestHost();
    expect(await host.create({ runtime: "gpt" }, admin)).toMatchObject({
      error: { code: "runtime_unknown", details: { runtimes: ["scripted"] } },
    });
    expect(await host.create({ session_id: "twice" }, admin)).toMatchObject({ ok: true });
    expect(await host.create({ session_id: "twice" }, admin)).toMatchObject({
      error: { code: "session_exists" },
    });
  });
});
