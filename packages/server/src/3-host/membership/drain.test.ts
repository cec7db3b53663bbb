import { draft } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { eventOf, eventTypes, readAll } from "../../test-support/log-reader.ts";
import { reopen } from "../../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../../2-session/session.ts";

const limitMs = 30_000;

/** Lets time pass until the promise settles; answers how much it took. */
async function passUntil(clock: ManualClock, settled: Promise<unknown>): Promise<number> {
  const start = clock.now();
  const progress = { isSettled: false };
  const note = (): void => {
    progress.isSettled = true;
  };
  settled.then(note, note);
  while (!progress.isSettled) await clock.advance(100);
  return clock.now() - start;
}

async function send(session: Session, content: string) {
  return session.execute({ type: "user_message", content }, admin);
}

describe("a host that drains", () => {
  test("lets a running turn end, with the answer that it asks for, then it is quiet", async () => {
    const { host, runtime, clock } = openTestHost();
    const session = await createTestSession(host);
    await send(session, "long");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const drained = host.drain({ limitMs });
    run.say(
      draft("permission_request", {
        correlation_id: "p1",
        tool_name: "Bash",
        tool_input: {},
      }),
    );
    await eventOf(session.log, "permission_request");
    const answer = await session.execute(
      { type: "permission_response", correlation_id: "p1", behavior: "allow" },
      admin,
    );
    expect(answer).toMatchObject({ ok: true });
    await run.wasAsked("answer");
    run.finish(input.turnId);
    await eventOf(session.log, "done");
    expect(await passUntil(clock, drained)).toBeLessThan(limitMs);
    await host.close();
    expect(await eventTypes(session.log)).not.toContain("error");
  });

  test("gives up at the limit: the turn is settled as lost, once", async () => {
    const { host, runtime, clock } = openTestHost();
    const session = await createTestSession(host);
    await send(session, "endless");
    await (await runtime.run()).wasAsked("send");
    expect(await passUntil(clock, host.drain({ limitMs }))).toBe(limitMs);
    await host.close();
    const events = await readAll(session.log);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(events.find(({ type }) => type === "error")?.data).toMatchObject({ code: "turn_lost" });
  });

  test("waits for nothing without a running turn, and not at all with a limit of 0", async () => {
    const { host, runtime } = openTestHost();
    const session = await createTestSession(host);
    await host.drain({ limitMs });
    expect(runtime.runs).toHaveLength(0);
    expect((await host.openOrRead(session.id, admin)).ok).toBe(true);
    const other = openTestHost();
    await send(await createTestSession(other.host), "endless");
    await (await other.runtime.run()).wasAsked("send");
    await other.host.drain({ limitMs: 0 });
  });

  test("begins nothing: new sessions, messages, wakes, forks and rollbacks are asked to come back", async () => {
    const { host, runtime, clock } = openTestHost();
    const busy = await createTestSession(host);
    const quiet = await createTestSession(host);
    await send(busy, "long");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    const drained = host.drain({ limitMs });
    const refused = { ok: false, error: { code: "shutting_down", retryable: true } };
    expect(await host.create({}, admin)).toMatchObject(refused);
    expect(await send(quiet, "no")).toMatchObject(refused);
    expect(await send(busy, "no")).toMatchObject(refused);
    expect(await quiet.wake()).toMatchObject(refused);
    expect(await quiet.execute({ type: "fork" }, admin)).toMatchObject(refused);
    expect(await quiet.execute({ type: "compact" }, admin)).toMatchObject(refused);
    const steered = { type: "user_message", content: "also", delivery: "steer" } as const;
    expect(await busy.execute(steered, admin)).toMatchObject({ ok: true });
    await run.wasAsked("steer");
    expect(await quiet.execute({ type: "rename", title: "Mine" }, admin)).toMatchObject({
      ok: true,
    });
    run.finish(input.turnId);
    await passUntil(clock, drained);
    expect(runtime.runs).toHaveLength(1);
  });

  test("leaves a message that waits to the next process, which runs it", async () => {
    const store = createMemoryStore();
    const { host, runtime, clock } = openTestHost({ store });
    const session = await createTestSession(host);
    await send(session, "first");
    const run = await runtime.run();
    const { input } = await run.wasAsked("send");
    await send(session, "second");
    const drained = host.drain({ limitMs });
    run.finish(input.turnId);
    await passUntil(clock, drained);
    await host.close();
    expect(run.asked.filter(({ type }) => type === "send")).toHaveLength(1);
    const next = openTestHost({ store });
    await next.host.recover();
    const resumed = await (await next.runtime.run()).wasAsked("send");
    expect(resumed.input.content).toEqual([{ type: "text", text: "second" }]);
    const types = await eventTypes((await reopen(next.host, session.id)).log);
    expect(types).not.toContain("error");
    await next.host.close();
  });

  test("gives a session that others can continue back with its idle agent, before the limit", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const { host, runtime } = openTestHost({ store, clock });
    const session = await createTestSession(host);
    await send(session, "first");
    const run = await runtime.run();
    run.finish((await run.wasAsked("send")).input.turnId);
    await eventOf(session.log, "done");
    expect(session.hasAgent).toBe(true);
    expect(await passUntil(clock, host.drain({ limitMs }))).toBeLessThan(limitMs);
    expect(run.asked.at(-1)).toEqual({ type: "close" });
    const other = { sessionId: session.id, holder: "another host", ttlMs: limitMs };
    expect(await store.acquireLease(other)).toBeDefined();
    await host.close();
  });

  test("does not take back what it gives away, whoever asks for it at that moment", async () => {
    const clock = new ManualClock();
    const shared = createMemoryStore({ clock, isShared: true });
    let release: () => void = () => undefined;
    const isReleased = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = interceptStore(shared, {
      releaseLease: async (...parameters) => {
        await isReleased;
        await shared.releaseLease(...parameters);
      },
    });
    const { host } = openTestHost({ store, clock });
    const session = await createTestSession(host);
    const drained = host.drain({ limitMs });
    while (!session.ended) await clock.advance(100);
    const opened = host.openOrRead(session.id, admin);
    release();
    expect(await opened).toMatchObject({ ok: true });
    expect(host.metrics).toMatchObject({ sessionsLoaded: 0, sessionsFollowed: 1 });
    expect(await passUntil(clock, drained)).toBeLessThan(limitMs);
    await host.close();
  });

  test("is closed in the middle without waiting for the limit, and drains once", async () => {
    const { host, runtime, clock } = openTestHost();
    await send(await createTestSession(host), "endless");
    await (await runtime.run()).wasAsked("send");
    const drained = host.drain({ limitMs });
    expect(host.drain({ limitMs })).toBe(drained);
    await host.close();
    expect(await passUntil(clock, drained)).toBeLessThan(limitMs);
    expect(clock.waiting).toBe(0);
  });
});
