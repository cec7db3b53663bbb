import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTick } from "node:timers/promises";
import type { EventDraft } from "@turnwire/protocol";
import { checkGrammar, draft } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { RuntimeError } from "../1-runtime/runtime.ts";
import { interceptAppends } from "../test-support/intercepted-store.ts";
import { eventOf, eventWhere, readAll } from "../test-support/log-reader.ts";
import { ScriptedRuntime } from "../test-support/scripted-runtime.ts";
import { admin, createTestSession, openTestHost } from "../test-support/test-host.ts";
import type { Session } from "./session.ts";
import type { SessionHost } from "./session-host.ts";
import { StoreError } from "./store.ts";
import { createMemoryStore } from "./store/memory.ts";

async function reopen(host: SessionHost, sessionId: string): Promise<Session> {
  const opened = await host.open(sessionId, admin);
  if (!opened.ok) throw new Error(opened.error.message);
  return opened.value;
}

async function say(session: Session, text: string, more: object = {}) {
  return session.execute({ type: "user_message", content: text, ...more }, admin);
}

/** Plays one whole turn and answers with its id. */
async function playTurn(session: Session, runtime: ScriptedRuntime, text: string): Promise<string> {
  const said = await say(session, text);
  if (!said.ok) throw new Error(said.error.message);
  const { run, turnId } = await runtime.sent(said.value.messageId);
  run.say(draft("session_updated", { provider_session_id: "provider-1" }));
  run.finish(turnId);
  await eventWhere(session.log, (event) => event.type === "done" && event.data.turn_id === turnId);
  return turnId;
}

/** A promise and the function that settles it. */
function gate(): { opened: Promise<void>; open: () => void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** Follows a log as a stream does, until it ends. */
function follow(session: Session) {
  const seqs: number[] = [];
  const ended = new Promise<string>((resolve) => {
    session.log.subscribe({
      onEvents: (events) => seqs.push(...events.map((event) => event.seq)),
      onEnd: resolve,
    });
  });
  return { seqs, ended };
}

const task = (status: "running" | "completed"): EventDraft =>
  draft("task", { task_id: "build", status });

/** A runtime whose normalizer has more to say when its agent is gone. */
class TalkativeRuntime extends ScriptedRuntime {
  override readonly normalizer = {
    initial: () => null,
    step: (state: null, message: EventDraft) => [state, [message]] as const,
    end: () => [task("completed")] as never[],
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

  test("tells a reader that comes after the end that it has ended", async () => {
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
  test("starts no agent that nobody would stop", async () => {
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

describe("a copy", () => {
  test("whose making fails is not there, and takes no messages meanwhile", async () => {
    const { host, runtime, store } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    runtime.fork = async () => {
      throw new RuntimeError("resume_failed", "the transcript is gone");
    };
    await expect(source.execute({ type: "fork" }, admin)).rejects.toThrow("transcript is gone");
    const listed = await store.listSessions({ limit: 10 });
    expect(listed.map((record) => record.sessionId)).toEqual([source.id]);
    expect(await store.listSessions({ limit: 10, isPartial: true })).toEqual([]);
  });

  test("is listed only when it is whole, and its making asks the runtime only when it may be made", async () => {
    const { host, runtime, store } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    const copying = gate();
    const fork = runtime.fork.bind(runtime);
    let isAsked = false;
    runtime.fork = async (from) => {
      isAsked = true;
      await copying.opened;
      return fork(from);
    };
    const making = source.execute({ type: "fork" }, admin);
    await eventually(() => isAsked);
    expect(await store.listSessions({ limit: 10 })).toHaveLength(1);
    copying.open();
    expect(await making).toMatchObject({ ok: true });
    expect(await store.listSessions({ limit: 10 })).toHaveLength(2);
  });

  test("that a dead process left half made is removed at the next start", async () => {
    const { host, runtime, store } = openTestHost();
    const source = await createTestSession(host);
    await playTurn(source, runtime, "one");
    runtime.fork = () => new Promise(() => undefined);
    const making = source.execute({ type: "fork" }, admin);
    making.catch(() => undefined);
    const half = async () => store.listSessions({ limit: 10, isPartial: true });
    while ((await half()).length === 0) await nextTick();
    const next = openTestHost({ store });
    await next.host.recover();
    expect(await half()).toEqual([]);
  });

  test("takes along the shared state that was set between turns", async () => {
    const { host, runtime } = openTestHost();
    const source = await createTestSession(host);
    const patch = (path: string, value: number) =>
      source.execute({ type: "state_patch", patches: [{ op: "add", path, value }] }, admin);
    await patch("", 0);
    await playTurn(source, runtime, "one");
    await source.execute(
      { type: "state_patch", patches: [{ op: "replace", path: "", value: { n: 2 } }] },
      admin,
    );
    const copied = await source.execute({ type: "fork" }, admin);
    const id = copied.ok ? (copied.value.forked?.session_id ?? "") : "";
    expect((await reopen(host, id)).control.shared).toEqual({ n: 2 });
  });

  test("of a session that was trimmed shows all of it, and is cut at the right turn", async () => {
    const { host, runtime, store } = openTestHost({ retainEvents: 8 });
    const source = await createTestSession(host);
    for (const text of ["one", "two", "three", "four"]) await playTurn(source, runtime, text);
    await eventually(() => source.log.oldest > 4);
    const copied = await source.execute({ type: "fork" }, admin);
    const id = copied.ok ? (copied.value.forked?.session_id ?? "") : "";
    const copy = await reopen(host, id);
    const texts = async (session: Session) =>
      (await session.snapshot()).state.messages.flatMap((message) =>
        message.role === "user" ? [message.content] : [],
      );
    expect(await texts(copy)).toEqual(await texts(source));
    expect(copy.control.session.provider_session_id).toBe("fork-of-4");
    expect((await store.getSession(id))?.isPartial).toBeUndefined();
    const rolledBack = await source.execute(
      { type: "rollback", turn_id: (await lastTurn(source)) ?? "" },
      admin,
    );
    expect(rolledBack).toMatchObject({ ok: true });
    const asked = runtime.runs.flatMap((run) => run.asked);
    expect(asked.find(({ type }) => type === "rollback")).toMatchObject({ turnIndex: 3 });
  });
});

describe("a message that steers", () => {
  test("gets a turn of its own when its turn ends meanwhile", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    run.steer = async () => {
      throw new RuntimeError("protocol", "no turn runs");
    };
    const steering = session.execute({ type: "steer", content: "and tests" }, admin);
    run.finish(input.turnId);
    const steered = await steering;
    expect(steered).toMatchObject({ ok: true });
    const second = await run.wasAsked("send", 2);
    expect(second.input.content).toEqual([{ type: "text", text: "and tests" }]);
    run.finish(second.input.turnId);
    await eventOf(session.log, "done", 2);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "message_deferred")).toMatchObject([
      { data: { by: "admin" } },
    ]);
  });
});

describe("a rollback", () => {
  test("is refused while messages wait, and holds those that come during it", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    const turnId = await playTurn(session, runtime, "one");
    const run = await runtime.run();
    const forgetting = gate();
    const rollback = run.rollback.bind(run);
    const asked = gate();
    run.rollback = async (options) => {
      asked.open();
      await forgetting.opened;
      return rollback(options);
    };
    const rollingBack = session.execute({ type: "rollback", turn_id: turnId }, admin);
    await asked.opened;
    const said = await say(session, "two");
    expect(said).toMatchObject({ ok: true });
    expect(await session.execute({ type: "compact" }, admin)).toMatchObject({
      error: { code: "turn_running" },
    });
    // Commands are not held up by it.
    expect(await session.execute({ type: "rename", title: "meanwhile" }, admin)).toMatchObject({
      ok: true,
    });
    expect(session.isQuiet).toBe(false);
    // A turn would start in the next round of the event loop.
    await nextTick();
    await nextTick();
    expect(session.control.turn).toBeNull();
    forgetting.open();
    expect(await rollingBack).toMatchObject({ ok: true });
    const second = await run.wasAsked("send", 2);
    run.finish(second.input.turnId);
    await eventOf(session.log, "done", 2);
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    const types = events.map(({ type }) => type);
    expect(types.indexOf("rolled_back")).toBeLessThan(types.lastIndexOf("turn_started"));
  });

  test("and a wake or a compaction answer `overloaded` while all agents work", async () => {
    const { host, runtime, errors } = openTestHost({ maxLiveRuns: 1 });
    const idle = await createTestSession(host);
    const turnId = await playTurn(idle, runtime, "one");
    const busy = await createTestSession(host);
    await say(busy, "long");
    await (await runtime.run(1)).wasAsked("send");
    const busyAnswer = { error: { code: "overloaded", retryable: true } };
    expect(await idle.wake()).toMatchObject(busyAnswer);
    expect(await idle.execute({ type: "compact" }, admin)).toMatchObject(busyAnswer);
    expect(await idle.execute({ type: "rollback", turn_id: turnId }, admin)).toMatchObject(
      busyAnswer,
    );
    const updates = (await readAll(idle.log)).filter(({ type }) => type === "session_updated");
    const statuses = updates.flatMap((event) =>
      event.type === "session_updated" ? [event.data.status] : [],
    );
    expect(statuses.filter(Boolean)).toEqual(["hibernated"]);
    expect(errors).toEqual([]);
  });
});

describe("an agent at work in the background", () => {
  test("is neither put to sleep nor evicted until its task is done", async () => {
    const { host, runtime, clock } = openTestHost({ maxLiveRuns: 1, idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "build it");
    const run = await runtime.run();
    run.say(task("running"));
    await eventOf(session.log, "task");
    await clock.advance(5000);
    expect(session.ended).toBeUndefined();
    const other = await createTestSession(host);
    await say(other, "me too");
    const waiting = await eventOf(other.log, "notice");
    expect(waiting.data.text).toContain("Waiting for a free agent");
    expect(run.asked.some(({ type }) => type === "close")).toBe(false);
    run.say(task("completed"));
    await (await runtime.run(1)).wasAsked("send");
    expect(session.isLive).toBe(false);
  });

  test("counts while it compacts", async () => {
    const { host, runtime, clock } = openTestHost({ idleMs: 1000 });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    await session.execute({ type: "compact" }, admin);
    await clock.advance(5000);
    expect(session.ended).toBeUndefined();
    (await runtime.run()).say(draft("compacted", {}));
    await eventOf(session.log, "compacted");
    const { ended } = follow(session);
    await clock.advance(5000);
    expect(await ended).toBe("released");
  });
});

describe("a turn that an agent begins by itself", () => {
  test("while it is being put to sleep ends with it, and holds up no message", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    const run = await runtime.run();
    const close = run.close.bind(run);
    run.close = async () => {
      run.say(draft("turn_started", { turn_id: "own" }, { turn_id: "own" }));
      await nextTick();
      await close();
    };
    await session.hibernate();
    await playTurn(session, runtime, "two");
    const events = await readAll(session.log);
    expect(checkGrammar(events)).toEqual([]);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(3);
  });
});

describe("the cap on live agents", () => {
  test("takes the one that has been idle longest, not the one that just finished", async () => {
    const { host, runtime } = openTestHost({ maxLiveRuns: 2 });
    const early = await createTestSession(host);
    const late = await createTestSession(host);
    await say(early, "long");
    const { input } = await (await runtime.run()).wasAsked("send");
    await playTurn(late, runtime, "short");
    (await runtime.run()).finish(input.turnId);
    await eventOf(early.log, "done");
    await nextTick();
    const third = await createTestSession(host);
    await playTurn(third, runtime, "room, please");
    expect([early.isLive, late.isLive]).toEqual([true, false]);
  });

  test("gives a slot back although the normalizer breaks at the end", async () => {
    const runtime = new ScriptedRuntime();
    runtime.normalizer.end = () => {
      throw new Error("a bug in the normalizer");
    };
    const { host, errors } = openTestHost({ runtimes: [runtime] });
    const session = await createTestSession(host);
    await playTurn(session, runtime, "one");
    await session.hibernate();
    expect(host.metrics.liveRuns).toBe(0);
    expect(errors).toHaveLength(1);
  });
});

describe("what a broken runtime says", () => {
  test("is kept as native, and hurts nobody", async () => {
    const { host, runtime, errors } = openTestHost();
    const session = await createTestSession(host);
    await say(session, "go");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const malformed = [
      { type: "permission_request", data: null },
      { type: "delta", data: { message_id: "m" } },
      { type: "no_such_event", data: {} },
      { type: "done", data: {}, turn_id: 7 },
    ];
    // What a runtime in plain JavaScript could do.
    run.say(...(malformed as never[]));
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    const events = await readAll(session.log);
    expect(events.filter(({ type }) => type === "native")).toHaveLength(malformed.length);
    expect(checkGrammar(events)).toEqual([]);
    expect(errors).toEqual([]);
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

describe("the working directory", () => {
  test("is checked again at every start of an agent", async () => {
    const root = await mkdtemp(join(tmpdir(), "turnwire-root-"));
    const elsewhere = await mkdtemp(join(tmpdir(), "turnwire-elsewhere-"));
    onTestFinished(async () => {
      await rm(root, { recursive: true });
      await rm(elsewhere, { recursive: true });
    });
    const cwd = join(root, "project");
    await mkdir(cwd);
    const { host, runtime } = openTestHost({ roots: [root] });
    const created = await host.create({ cwd }, admin);
    if (!created.ok) throw new Error(created.error.message);
    const session = created.value;
    await playTurn(session, runtime, "inside");
    await session.hibernate();
    await rm(cwd, { recursive: true });
    await symlink(elsewhere, cwd);
    await say(session, "outside");
    const failed = await eventOf(session.log, "error");
    expect(failed.data.message).toContain("outside the allowed roots");
    expect(runtime.runs).toHaveLength(1);
    expect(host.metrics.liveRuns).toBe(0);
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
    const { host, errors } = openTestHost({ store });
    await host.recover();
    const record = await store.getSession(whole ?? "");
    expect(record).toMatchObject({ activity: "idle", status: "hibernated" });
    expect(errors).toMatchObject([{ code: "corrupt" }]);
  });
});

/** Lets the event loop turn until it is so; the test's own time limit ends a wait in vain. */
async function eventually(isSo: () => boolean): Promise<void> {
  while (!isSo()) await nextTick();
}

async function lastTurn(session: Session): Promise<string | undefined> {
  const events = await readAll(session.log);
  return events.findLast((event) => event.type === "done")?.turn_id;
}
