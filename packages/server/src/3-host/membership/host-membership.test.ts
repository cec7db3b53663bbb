import { describe, expect, test } from "vitest";
import { createMemoryStore, type Store, StoreError } from "@turnwire/log";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { eventOf, readAll } from "../../test-support/log-reader.ts";
import { reopen } from "../../test-support/played-session.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import type { Session } from "../../2-session/session.ts";
import type { SessionHostOptions } from "../creation/session-host-options.ts";

const leaseMs = 3000;

/** Hosts over one store and one clock; the way of each to the store can be cut. */
function openHosts() {
  const clock = new ManualClock();
  const store = createMemoryStore({ clock, isShared: true });
  const open = (options: Partial<SessionHostOptions> = {}) => {
    const line = { isCut: false, canJoin: true };
    const opened = openTestHost({ store: cuttable(store, line), clock, leaseMs, ...options });
    return {
      ...opened,
      cut: () => {
        line.isCut = true;
      },
      heal: () => {
        line.isCut = false;
      },
      /** As while its agents take long to end. */
      healWithoutJoining: () => {
        line.isCut = false;
        line.canJoin = false;
      },
    };
  };
  /** Lets time pass in small steps until something is so. */
  const passUntil = async (isSo: () => boolean | Promise<boolean>, limitMs = 60_000) => {
    for (let passed = 0; !(await isSo()); passed += 50) {
      if (passed > limitMs) throw new Error(`It was not so within ${limitMs} ms.`);
      await clock.advance(50);
    }
  };
  return { clock, store, open, passUntil };
}

/** A store that does not answer while the line is cut, as one behind a broken network. */
function cuttable(
  store: Store,
  line: { readonly isCut: boolean; readonly canJoin: boolean },
): Store {
  const away = () => Promise.reject(new StoreError("unavailable", "the network is down"));
  const names = [
    "acquireLease",
    "createSession",
    "releaseLease",
    "renewHolder",
    "removeHolder",
    "append",
    "listOrphans",
    "getSession",
    "listHosts",
    "purgeDeleted",
  ] as const;
  const replaced = names.map((name) => [
    name,
    (...given: unknown[]) => {
      if (line.isCut || (name === "removeHolder" && !line.canJoin)) return away();
      return Reflect.apply(store[name], store, given) as Promise<unknown>;
    },
  ]);
  return interceptStore(store, Object.fromEntries(replaced) as Partial<Store>);
}

async function startTurn(
  session: Session,
  { runtime }: Pick<ReturnType<typeof openTestHost>, "runtime">,
) {
  await session.execute({ type: "user_message", content: "work" }, admin);
  const run = await runtime.run();
  const { input } = await run.wasAsked("send");
  return { run, turnId: input.turnId };
}

describe("a host whose store is shared", () => {
  test("that dies loses its sessions to another within the lease time and a second; the turn is settled once", async () => {
    const { clock, store, open, passUntil } = openHosts();
    const dead = open();
    const session = await createTestSession(dead.host);
    await startTurn(session, dead);
    await session.execute({ type: "user_message", content: "later" }, admin);
    const other = open();
    await clock.advance(1000);
    dead.cut();
    const diedAt = clock.now();
    await passUntil(async () => (await store.getSession(session.id))?.head !== session.log.head);
    expect(clock.now() - diedAt).toBeLessThanOrEqual(leaseMs + 1000);
    const resumed = await (await other.runtime.run()).wasAsked("send");
    expect(resumed.input.content).toEqual([{ type: "text", text: "later" }]);
    const events = await readAll((await reopen(other.host, session.id)).log);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(events.filter(({ type }) => type === "done")).toHaveLength(1);
    expect(events.find(({ type }) => type === "error")?.data).toMatchObject({
      code: "turn_lost",
      message: expect.stringContaining("host"),
    });
    expect(other.host.metrics.takeovers).toBe(1);
  });

  test("that cannot renew ends its agents before its lease can be taken, and refuses commands until it is back", async () => {
    const { clock, store, open, passUntil } = openHosts();
    const cut = open();
    const session = await createTestSession(cut.host);
    const { run } = await startTurn(session, cut);
    await clock.advance(leaseMs / 3);
    cut.cut();
    const cutAt = clock.now();
    let end: string | undefined;
    session.log.subscribe({ onEvents: () => undefined, onEnd: (reason) => (end = reason) });
    await passUntil(() => run.asked.some(({ type }) => type === "close"));
    expect(clock.now() - cutAt).toBeLessThan(leaseMs);
    expect(end).toBe("released");
    const refused = await session.execute({ type: "rename", title: "No" }, admin);
    expect(refused).toMatchObject({ ok: false });
    await expect(cut.host.create({}, admin)).rejects.toMatchObject({ code: "unavailable" });
    const other = open();
    await passUntil(async () => (await store.getSession(session.id))?.head !== session.log.head);
    cut.heal();
    await passUntil(
      async () => (await cut.host.create({}, admin).catch(() => undefined))?.ok === true,
    );
    const taken = await reopen(other.host, session.id);
    expect(await taken.execute({ type: "rename", title: "Yes" }, admin)).toMatchObject({
      ok: true,
    });
  });

  test("keeps its sessions through a renewal that fails: it is tried again before the time is up", async () => {
    const { clock, open } = openHosts();
    const cut = open();
    const session = await createTestSession(cut.host);
    await clock.advance(1);
    cut.cut();
    await clock.advance(leaseMs / 3);
    cut.heal();
    for (let passed = 0; passed < 2 * leaseMs; passed += 50) await clock.advance(50);
    expect(session.ended).toBeUndefined();
    expect(await session.execute({ type: "rename", title: "Mine" }, admin)).toMatchObject({
      ok: true,
    });
  });

  test("keeps its sessions when two renewals at its start both find that it was not there before", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const answers: ((wasAlive: boolean) => void)[] = [];
    const slow = interceptStore(store, {
      renewHolder: async (holder, ttlMs, description) => {
        await store.renewHolder(holder, ttlMs, description);
        return new Promise<boolean>((resolve) => answers.push(resolve));
      },
    });
    const { host } = openTestHost({ store: slow, clock, leaseMs });
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers) answer(false);
    const session = await createTestSession(host);
    await clock.advance(50);
    expect(session.ended).toBeUndefined();
    expect(await host.create({}, admin)).toMatchObject({ ok: true });
  });

  test("that has let go of everything leads readers to what other hosts write, once it can read that", async () => {
    const { clock, store, open, passUntil } = openHosts();
    const cut = open();
    const session = await createTestSession(cut.host);
    await startTurn(session, cut);
    const other = open();
    cut.cut();
    await passUntil(async () => (await store.getSession(session.id))?.head !== session.log.head);
    const taken = await reopen(other.host, session.id);
    await expect(cut.host.openOrRead(session.id, admin)).rejects.toMatchObject({
      code: "unavailable",
    });
    cut.healWithoutJoining();
    const healedAt = clock.now();
    await passUntil(() => !cut.host.isCutOff);
    expect(clock.now() - healedAt).toBeLessThan(leaseMs / 3);
    // It can read again, and has not yet joined the others.
    await expect(cut.host.create({}, admin)).rejects.toMatchObject({ code: "unavailable" });
    const read = await cut.host.openOrRead(session.id, admin);
    if (!read.ok) throw new Error(read.error.message);
    await taken.execute({ type: "rename", title: "Written elsewhere" }, admin);
    await passUntil(() => read.value.log.head === taken.log.head);
    expect(await readAll(read.value.log)).toEqual(await readAll(taken.log));
  });

  test("that stood still past its lease lets go of what another has taken", async () => {
    const { clock, open, passUntil } = openHosts();
    const frozen = open();
    const session = await createTestSession(frozen.host);
    const { run } = await startTurn(session, frozen);
    // Time passes in one step: no timer of the frozen host had its turn.
    await clock.advance(leaseMs * 2);
    await passUntil(() => run.asked.some(({ type }) => type === "close"));
    // The store answers: whoever reads is not sent elsewhere.
    await clock.advance(1000);
    expect(frozen.host.isCutOff).toBe(false);
    expect(await session.execute({ type: "rename", title: "No" }, admin)).toMatchObject({
      ok: false,
    });
    await passUntil(
      async () => (await frozen.host.open(session.id, admin).catch(() => undefined))?.ok === true,
    );
    const again = await reopen(frozen.host, session.id);
    expect((await eventOf(again.log, "error")).data).toMatchObject({ code: "turn_lost" });
  });

  test("whose machine slept, timers and all, lets go of what another has taken", async () => {
    const time = new ManualClock();
    const store = createMemoryStore({ clock: time, isShared: true });
    const slept = openTestHost({ store, leaseMs });
    const session = await createTestSession(slept.host);
    await startTurn(session, slept);
    // The clock of the host that slept stands still.
    await time.advance(leaseMs + 1);
    const other = openTestHost({ store, leaseMs, clock: time });
    while (other.host.metrics.takeovers === 0) await time.advance(50);
    // A new lease makes it live again, so that no renewal reports the loss.
    await createTestSession(slept.host);
    while (!session.ended) await slept.clock.advance(50);
    const taken = await reopen(other.host, session.id);
    expect(await taken.execute({ type: "rename", title: "Mine" }, admin)).toMatchObject({
      ok: true,
    });
  });

  test("that has left is not listed any more, also where a renewal reaches the store after that", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const late: (() => void)[] = [];
    let isLate = false;
    const slow = interceptStore(store, {
      renewHolder: async (...parameters) => {
        if (isLate) await new Promise<void>((resolve) => late.push(resolve));
        return store.renewHolder(...parameters);
      },
    });
    const { host } = openTestHost({ store: slow, clock, leaseMs });
    await expect.poll(() => store.listHosts()).toHaveLength(1);
    isLate = true;
    await clock.advance(leaseMs / 3);
    expect(late).toHaveLength(1);
    const closed = host.close();
    await expect.poll(() => store.listHosts()).toEqual([]);
    for (const reach of late) reach();
    await closed;
    expect(await store.listHosts()).toEqual([]);
  });

  test("that has left reports nothing of a look around that its store then refuses", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ clock, isShared: true });
    const refusals: ((error: StoreError) => void)[] = [];
    const closing = interceptStore(store, {
      purgeDeleted: () => new Promise<void>((_, reject) => refusals.push(reject)),
    });
    const { host, errors } = openTestHost({ store: closing, clock, leaseMs });
    await expect.poll(() => refusals.length).toBeGreaterThan(0);
    await host.close();
    for (const refuse of refusals) refuse(new StoreError("unavailable", "the store is closed"));
    await clock.advance(50);
    expect(errors).toEqual([]);
  });

  test("says of itself that it drains, and gives quiet sessions away at once, working ones with what waits in them", async () => {
    const { clock, store, open, passUntil } = openHosts();
    const leaving = open({ name: "leaving" });
    const quiet = await createTestSession(leaving.host);
    const busy = await createTestSession(leaving.host);
    const { run, turnId } = await startTurn(busy, leaving);
    const staying = open({ name: "staying" });
    const drained = leaving.host.drain({ limitMs: 30_000 });
    await passUntil(() => quiet.ended !== undefined);
    const hosts = await store.listHosts();
    expect(hosts.find(({ name }) => name === "leaving")).toMatchObject({ isDraining: true });
    expect(await busy.execute({ type: "user_message", content: "next" }, admin)).toMatchObject({
      ok: true,
    });
    run.finish(turnId);
    await passUntil(() => busy.ended !== undefined);
    await passed(
      clock,
      drained.then(() => true),
    );
    const resumed = await passed(clock, staying.runtime.run());
    expect((await resumed.wasAsked("send")).input.content).toEqual([
      { type: "text", text: "next" },
    ]);
    await leaving.host.close();
    expect((await store.listHosts()).map(({ name }) => name)).toEqual(["staying"]);
  });
});

/** Lets time pass until the promise has a value. */
async function passed<Value>(clock: ManualClock, promise: Promise<Value>): Promise<Value> {
  const state: { value?: Value } = {};
  void promise.then((value) => {
    state.value = value;
  });
  while (state.value === undefined) await clock.advance(50);
  return state.value;
}
