import { setImmediate as nextTick } from "node:timers/promises";
import { checkGrammar, draft, type EventDraft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { interceptAppends } from "../../../log/src/test-support/intercepted-store.ts";
import { eventOf, readAll } from "../test-support/log-reader.ts";
import { eventually, follow, gate, playTurn, reopen, say } from "../test-support/played-session.ts";
import { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";

/** A runtime whose normalizer has more to say when its agent is gone. */
class TalkativeRuntime extends ScriptedRuntime {
  override readonly normalizer = {
    initial: () => null,
    step: (state: null, message: EventDraft) => [state, [message]] as const,
    end: () => [draft("task", { task_id: "build", status: "completed" })] as never[],
  };
}

describe("a session that ends", () => {
  test("writes its agent's last events before it gives the lease back", async () => {
    const runtime = new TalkativeRuntime();
    const { host, clock, errors } = openTestHost({ runtimes: [runtime], idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const { ended } = follow(session);
    await clock.advance(1000);
    expect(await ended).toBe("released");
    const again = await reopen(host, session.id);
    const tasks = (await readAll(again.log)).filter((event) => event.type === "task");
    expect(tasks).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("never makes the session after it deaf, whatever its agent still says", async () => {
    const { host, runtime, clock } = openTestHost({ idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const run = await runtime.run();
    const closing = gate();
    const close = run.close.bind(run);
    run.close = async () => {
      await closing.opened;
      await close();
    };
    await clock.advance(1000);
    const reopening = reopen(host, session.id);
    run.say(draft("delta", { message_id: "late", text: "still here" }));
    closing.open();
    const next = await reopening;
    const reader = follow(next);
    expect(next).not.toBe(session);
    await playTurn(next, runtime, "two");
    expect(reader.seqs.at(-1)).toBe(next.log.head);
    expect(await reopen(host, session.id)).toBe(next);
  });

  test("is broken by a failed append once; its successor keeps its readers", async () => {
    let failures = 0;
    const store = interceptAppends(createMemoryStore(), (batch, go) => {
      const isHit = failures === 0 && batch.events.some((event) => event.type === "delta");
      if (!isHit) return go();
      failures += 1;
      return Promise.reject(new StoreError("unavailable", "the disk was full for a moment"));
    });
    const { host, runtime } = openTestHost({ store });
    const session = await createTestSession(host);
    const reader = follow(session);
    await say(session, "one");
    const run = await runtime.run();
    await run.wasAsked("send");
    run.say(draft("delta", { message_id: "m", text: "lost" }));
    await reader.ended;
    const next = await reopen(host, session.id);
    const after = follow(next);
    run.say(draft("delta", { message_id: "m", text: "of the old agent" }));
    await playTurn(next, runtime, "two");
    expect(after.seqs.at(-1)).toBe(next.log.head);
    expect(await reopen(host, session.id)).toBe(next);
    expect(checkGrammar(await readAll(next.log))).toEqual([]);
    expect(failures).toBe(1);
  });

  test("notifies a reader that comes after the end that it has ended", async () => {
    const { host } = openTestHost();
    const session = await createTestSession(host);
    await session.end({ type: "release" });
    expect(await follow(session).ended).toBe("released");
  });

  test("takes no command and starts no agent any more", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const ending = session.end({ type: "release" });
    expect(await say(session, "too late")).toMatchObject({ error: { code: "overloaded" } });
    expect(await session.wake()).toMatchObject({ error: { code: "overloaded" } });
    expect(await ending).toBe(true);
    expect(await session.end({ type: "delete", by: "admin" })).toBe(false);
    expect(runtime.runs).toEqual([]);
  });
});

describe("an agent that closes slowly", () => {
  /** A session after one turn, whose agent closes only when the test lets it. */
  async function withSlowClose(options: Parameters<typeof openTestHost>[0] = {}) {
    const opened = openTestHost(options);
    const session = await createTestSession(opened.host);
    await playTurn(session, opened.runtime, "one");
    const run = await opened.runtime.run();
    const closing = gate();
    const close = run.close.bind(run);
    run.close = async () => {
      await closing.opened;
      await close();
    };
    return { ...opened, session, closing };
  }

  test("is gone before the next one starts", async () => {
    const { host, session, runtime, closing } = await withSlowClose();
    const hibernating = session.hibernate();
    await say(session, "two");
    await eventOf(session.log, "turn_started", 2);
    // Another session's whole start takes as long as this one's would.
    await playTurn(await createTestSession(host), runtime, "meanwhile");
    const runsOf = () => runtime.runs.filter(({ options }) => options.sessionId === session.id);
    expect(runsOf()).toHaveLength(1);
    closing.open();
    await hibernating;
    await eventually(() => runsOf().length === 2);
  });

  test("is gone before its session gives the lease back", async () => {
    const store = createMemoryStore();
    const released: string[] = [];
    const releaseLease = store.releaseLease.bind(store);
    store.releaseLease = async (sessionId, generation) => {
      released.push(sessionId);
      return releaseLease(sessionId, generation);
    };
    const { host, session, runtime, clock, closing } = await withSlowClose({
      store,
      idleMs: 1000,
    });
    const { ended } = follow(session);
    await clock.advance(1000);
    await playTurn(await createTestSession(host), runtime, "meanwhile");
    expect(released).toEqual([]);
    closing.open();
    await ended;
    await session.ended;
    expect(released).toEqual([session.id]);
  });
});

describe("a wake in progress when the session ends", () => {
  test("starts no agent that would not be stopped", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const waking = session.wake();
    await session.end({ type: "release" });
    expect(await waking).toMatchObject({ ok: false, error: { retryable: true } });
    expect(runtime.runs).toEqual([]);
    expect(host.metrics.liveRuns).toBe(0);
  });
});

describe("a message followed by DELETE", () => {
  test("leaves neither an agent nor its slot behind", async () => {
    const { host, runtime } = openTestHost({ maxLiveRuns: 2 });
    for (let round = 0; round < 10; round += 1) {
      const session = await createTestSession(host);
      await say(session, "go");
      expect(await host.delete(session.id, admin)).toMatchObject({ ok: true });
    }
    expect(host.metrics).toMatchObject({ liveRuns: 0, sessionsLoaded: 0 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "still served");
  });

  test("waits for an agent that is just starting, and ends it", async () => {
    const runtime = new ScriptedRuntime();
    const starting = gate();
    const createRun = runtime.createRun.bind(runtime);
    const asked = gate();
    runtime.createRun = async (options) => {
      asked.open();
      await starting.opened;
      return createRun(options);
    };
    const { host } = openTestHost({ runtimes: [runtime] });
    const session = await createTestSession(host);
    await say(session, "go");
    await asked.opened;
    const deleting = host.delete(session.id, admin);
    starting.open();
    expect(await deleting).toMatchObject({ ok: true });
    await (await runtime.run()).wasAsked("close");
    expect(host.metrics.liveRuns).toBe(0);
  });

  test("sent several times at once deletes once and reports nothing", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store });
    const { id } = await createTestSession(first.host);
    await first.host.close();
    const { host, errors } = openTestHost({ store });
    const deletes = await Promise.all([1, 2, 3].map(() => host.delete(id, admin)));
    expect(deletes.filter((result) => result.ok)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test("is finished by the next load when the process died in the middle", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store });
    const session = await createTestSession(first.host);
    await session.record([draft("session_closed", { reason: "deleted" })]);
    await first.crash();
    const { host } = openTestHost({ store });
    expect(await host.open(session.id, admin)).toMatchObject({
      error: { code: "session_not_found" },
    });
    expect(await store.getSession(session.id)).toBeUndefined();
  });
});

describe("a retry", () => {
  test("fails as the first try failed, and never claims that the message is stored", async () => {
    const writing = gate();
    let isFailing = false;
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      if (!isFailing) return go();
      await writing.opened;
      throw new StoreError("unavailable", "the disk is slow and then full");
    });
    const { host } = openTestHost({ store });
    const session = await createTestSession(host);
    isFailing = true;
    const first = say(session, "keep me", { client_message_id: "c1" });
    const retry = say(session, "keep me", { client_message_id: "c1" });
    await nextTick();
    writing.open();
    expect(await first).toMatchObject({ error: { code: "store_unavailable" } });
    expect(await retry).toMatchObject({ ok: false });
    isFailing = false;
    const next = await reopen(host, session.id);
    expect(await say(next, "keep me", { client_message_id: "c1" })).toMatchObject({
      ok: true,
      value: { seq: 2 },
    });
  });
});

describe("another person's session", () => {
  test("is not even loaded for somebody who may not reach it", async () => {
    const store = createMemoryStore();
    const first = openTestHost({ store });
    const { id } = await createTestSession(first.host, { id: "alice", isAdmin: false });
    await first.host.close();
    const { host } = openTestHost({ store });
    const opened = await host.open(id, { id: "bob", isAdmin: false });
    expect(opened).toMatchObject({ error: { code: "session_not_found" } });
    expect(host.metrics.sessionsLoaded).toBe(0);
  });
});

describe("recovery", () => {
  test("passes over a session that cannot be loaded and settles the others", async () => {
    const store = createMemoryStore();
    const crashed = openTestHost({ store });
    const ids: string[] = [];
    for (const text of ["damaged", "whole"]) {
      const session = await createTestSession(crashed.host);
      await say(session, text);
      await crashed.runtime.run(ids.length);
      ids.push(session.id);
    }
    const [damaged, whole] = ids;
    const readBase = store.readBase.bind(store);
    store.readBase = async (sessionId) => {
      if (sessionId === damaged) throw new StoreError("corrupt", "a row is damaged");
      return readBase(sessionId);
    };
    await crashed.crash();
    const { host, errors } = openTestHost({ store });
    await host.recover();
    const record = await store.getSession(whole ?? "");
    expect(record).toMatchObject({ activity: "idle", status: "hibernated" });
    expect(errors).toMatchObject([{ code: "corrupt" }]);
  });
});
