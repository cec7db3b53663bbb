import { describe, expect, test } from "vitest";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { SessionHostOptions } from "../creation/session-host-options.ts";

const leaseMs = 3000;

function openHosts() {
  const clock = new ManualClock();
  const store = createMemoryStore({ clock, isShared: true });
  const open = (options: Partial<SessionHostOptions> = {}) =>
    openTestHost({ store, clock, leaseMs, ...options });
  const passUntil = async (isSo: () => boolean | Promise<boolean>) => {
    while (!(await isSo())) await clock.advance(50);
  };
  return { clock, store, open, passUntil };
}

/** A session with a turn that waits for an answer and a message after it, left by a host that is gone. */
async function leaveOrphan(hosts: ReturnType<typeof openHosts>, storage: string) {
  const connection = { isCut: false };
  const { store } = hosts;
  const cut = () => Promise.reject(new StoreError("unavailable", "gone"));
  const renewHolder: typeof store.renewHolder = (...given) =>
    connection.isCut ? cut() : store.renewHolder(...given);
  const append: typeof store.append = (batch) => (connection.isCut ? cut() : store.append(batch));
  const releaseLease: typeof store.releaseLease = (...given) =>
    connection.isCut ? cut() : store.releaseLease(...given);
  const { host, runtime } = hosts.open({
    storage,
    store: interceptStore(store, { renewHolder, append, releaseLease }),
  });
  const session = await createTestSession(host);
  await session.execute({ type: "user_message", content: "first" }, admin);
  await (await runtime.run()).wasAsked("send");
  await session.execute({ type: "user_message", content: "second" }, admin);
  connection.isCut = true;
  return session;
}

describe("what a lost host has left", () => {
  test("goes to a host that has its directory, before any other", async () => {
    const hosts = openHosts();
    const session = await leaveOrphan(hosts, "north");
    const south = hosts.open({ storage: "south" });
    const north = hosts.open({ storage: "north" });
    await hosts.passUntil(() => north.runtime.runs.length > 0);
    const { input } = await (await north.runtime.run()).wasAsked("send");
    expect(input.content).toEqual([{ type: "text", text: "second" }]);
    expect(south.host.metrics.takeovers).toBe(0);
    expect((await hosts.store.getSession(session.id))?.storage).toBe("north");
  });

  test("is settled by a host without its directory where no other lives, and runs when one comes", async () => {
    const hosts = openHosts();
    const session = await leaveOrphan(hosts, "north");
    const south = hosts.open({ storage: "south" });
    await hosts.passUntil(() => south.host.metrics.takeovers > 0);
    const opened = await south.host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect((await eventOf(opened.value.log, "error")).data).toMatchObject({ code: "turn_lost" });
    const refused = { ok: false, error: { code: "workspace_unavailable", retryable: false } };
    const message = { type: "user_message", content: "third" } as const;
    expect(await opened.value.execute(message, admin)).toMatchObject(refused);
    expect(await opened.value.wake()).toMatchObject(refused);
    expect(await opened.value.execute({ type: "rename", title: "Left" }, admin)).toMatchObject({
      ok: true,
    });
    expect(south.runtime.runs).toHaveLength(0);
    const north = hosts.open({ storage: "north" });
    await hosts.passUntil(() => north.runtime.runs.length > 0);
    const { input } = await (await north.runtime.run()).wasAsked("send");
    expect(input.content).toEqual([{ type: "text", text: "second" }]);
    const events = await readAll(opened.value.log);
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
  });

  test("is taken by one of many hosts that look at the same moment", async () => {
    const hosts = openHosts();
    const sessions = [];
    for (let left = 0; left < 5; left += 1) sessions.push(await leaveOrphan(hosts, "north"));
    const others = [1, 2, 3].map(() => hosts.open({ storage: "north" }));
    const taken = () => others.reduce((sum, { host }) => sum + host.metrics.takeovers, 0);
    await hosts.passUntil(() => taken() === sessions.length);
    const runs = () => others.flatMap(({ runtime }) => runtime.runs).length;
    await hosts.passUntil(() => runs() === sessions.length);
    for (let step = 0; step < 20; step += 1) await hosts.clock.advance(100);
    expect([taken(), runs()]).toEqual([sessions.length, sessions.length]);
  });

  test("does not keep the rest waiting when it cannot be loaded, and is tried again only after a minute", async () => {
    const hosts = openHosts();
    const broken = await leaveOrphan(hosts, "north");
    const whole = await leaveOrphan(hosts, "north");
    let tries = 0;
    const { store } = hosts;
    const acquireLease: typeof store.acquireLease = (request) => {
      if (request.sessionId !== broken.id) return store.acquireLease(request);
      tries += 1;
      return Promise.reject(new StoreError("damaged", "events are missing"));
    };
    const { host, errors } = hosts.open({
      storage: "north",
      store: interceptStore(store, { acquireLease }),
    });
    await hosts.passUntil(() => tries > 0 && host.metrics.takeovers > 0);
    for (let step = 0; step < 40; step += 1) await hosts.clock.advance(500);
    expect(tries).toBe(1);
    for (let step = 0; step < 100; step += 1) await hosts.clock.advance(500);
    expect(tries).toBe(2);
    expect(errors.some((error) => error instanceof StoreError && error.code === "damaged")).toBe(
      true,
    );
    expect((await host.open(whole.id, admin)).ok).toBe(true);
  });

  test("is taken however many there are that cannot be loaded", async () => {
    const hosts = openHosts();
    const whole = await leaveOrphan(hosts, "north");
    const broken = Array.from({ length: 500 }, (_, index) => `broken-${index}`);
    const { store } = hosts;
    const { host } = hosts.open({
      storage: "north",
      store: interceptStore(store, {
        listOrphans: async (query) =>
          [...broken, ...(await store.listOrphans(query))].slice(0, query.limit),
        getSession: (sessionId) =>
          broken.includes(sessionId)
            ? Promise.reject(new StoreError("damaged", "its record cannot be read"))
            : store.getSession(sessionId),
      }),
    });
    await hosts.passUntil(() => host.metrics.takeovers > 0);
    expect((await host.open(whole.id, admin)).ok).toBe(true);
  });

  test("is tried again at once when only the store was away", async () => {
    const hosts = openHosts();
    await leaveOrphan(hosts, "north");
    let tries = 0;
    const { store } = hosts;
    const acquireLease: typeof store.acquireLease = (request) => {
      tries += 1;
      if (tries > 2) return store.acquireLease(request);
      return Promise.reject(new StoreError("unavailable", "the database restarts"));
    };
    const { host } = hosts.open({
      storage: "north",
      store: interceptStore(store, { acquireLease }),
    });
    await hosts.passUntil(() => tries > 0);
    for (let step = 0; step < 4; step += 1) await hosts.clock.advance(500);
    // By the next look, or by a renewal, which also takes what the store may have given to this host.
    await hosts.passUntil(() => host.metrics.sessionsLoaded > 0);
    expect(tries).toBe(3);
  });

  test("is taken although the store could not list it at first", async () => {
    const hosts = openHosts();
    await leaveOrphan(hosts, "north");
    let looks = 0;
    const { store } = hosts;
    const listOrphans: typeof store.listOrphans = (query) => {
      looks += 1;
      if (looks > 2) return store.listOrphans(query);
      return Promise.reject(new StoreError("unavailable", "the database restarts"));
    };
    const { host } = hosts.open({
      storage: "north",
      store: interceptStore(store, { listOrphans }),
    });
    await hosts.passUntil(() => host.metrics.takeovers > 0);
    expect(looks).toBeGreaterThan(2);
  });

  test("is not a session that only waits for a budget to be raised: its host keeps it, without an agent", async () => {
    const hosts = openHosts();
    const idleMs = 5_000;
    const { host, runtime } = hosts.open({ idleMs });
    const other = hosts.open({ idleMs });
    const created = await host.create({ budget: { turns: 1 } }, admin);
    if (!created.ok) throw new Error(created.error.message);
    const session = created.value;
    await session.execute({ type: "user_message", content: "first" }, admin);
    const run = await runtime.run();
    run.finish((await run.wasAsked("send")).input.turnId);
    await session.execute({ type: "user_message", content: "second" }, admin);
    await eventOf(session.log, "budget_request");
    await hosts.passUntil(() => host.metrics.liveRuns === 0);
    for (let step = 0; step < 40; step += 1) await hosts.clock.advance(500);
    expect([host.metrics.takeovers, other.host.metrics.takeovers]).toEqual([0, 0]);
    expect(host.metrics.sessionsLoaded).toBe(1);
  });
});
