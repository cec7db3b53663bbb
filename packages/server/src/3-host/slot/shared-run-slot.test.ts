import type { Clock } from "@turnwire/base";
import { createMemoryStore, StoreError, type Store } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { HostRunSlots } from "./run-slot.ts";
import { SharedRunSlots } from "./shared-run-slot.ts";
import { sharingOf } from "@turnwire/log/list";

interface HostSetting {
  readonly limit?: number;
  /** How many idle agents it has; letting one go gives its slot back. */
  readonly idle?: (() => void)[];
  readonly clock?: Clock;
}

/** The slots of one host that holds its sessions as `holder`. */
async function openHost(store: Store, holder: string, setting: HostSetting = {}) {
  const { limit = 2, idle = [] } = setting;
  const clock = new ManualClock();
  const errors: unknown[] = [];
  await store.renewHolder(holder, 60_000);
  const evictIdle = (): boolean => {
    const release = idle.shift();
    release?.();
    return release !== undefined;
  };
  const shared = new SharedRunSlots({
    sharing: sharingOf(store),
    holder,
    limit,
    clock: setting.clock ?? clock,
    evictIdle,
    onError: (error) => errors.push(error),
  });
  const slots = new HostRunSlots(10, evictIdle, shared);
  onTestFinished(() => slots.close());
  const { signal } = new AbortController();
  const take = (isPatient = true, onWaiting?: () => void) =>
    slots.take({ signal, isPatient, ...(onWaiting && { onWaiting }) });
  return { slots, take, clock, idle, errors };
}

/** Lets the clock run until something has happened. */
async function passTime(clock: ManualClock, happened: Promise<unknown>): Promise<void> {
  const ending = new AbortController();
  const ended = happened.finally(() => ending.abort());
  while (!ending.signal.aborted) await clock.advance(1_000);
  await ended;
}

describe("the agents of hosts that share a store", () => {
  test("are no more at once than all hosts together may run", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [await openHost(store, "a"), await openHost(store, "b")];
    await a.take();
    await b.take();
    await expect(a.take(false)).rejects.toMatchObject({ code: "busy" });
    await expect(b.take(false)).rejects.toThrow("All 2 agents that the hosts of this server run");
    expect(a.slots.taken).toBe(1);
  });

  test("get the last slot once, however many ask for it at the same instant", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [await openHost(store, "a"), await openHost(store, "b")];
    const asked = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? a : b).take(false)),
    );
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
  });

  test("wait until one ends on any host", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [await openHost(store, "a"), await openHost(store, "b")];
    const [giveBack] = [await a.take(), await a.take()];
    let hasWaited = (): void => undefined;
    const waits = new Promise<void>((resolve) => {
      hasWaited = resolve;
    });
    const taken = b.take(true, hasWaited);
    await waits;
    expect(b.slots.taken).toBe(1);
    giveBack();
    await taken;
    expect(a.slots.taken).toBe(1);
  });

  test("get a slot in the order in which they asked, whichever hosts they are of", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [
      await openHost(store, "a", { limit: 1 }),
      await openHost(store, "b", { limit: 1 }),
    ];
    const queued = () => store.values.listValues("run-slot-queue/");
    let giveBack = await a.take();
    const order: number[] = [];
    const taken: Promise<void>[] = [];
    for (const [index, host] of [a, b, a, a, b, a].entries()) {
      const waits = new Promise<void>((resolve) => {
        const one = host.take(true, resolve).then((back) => {
          order.push(index);
          giveBack = back;
        });
        taken.push(one);
      });
      await waits;
      await expect.poll(async () => (await queued()).size).toBe(index + 1);
    }
    for (const one of taken) {
      giveBack();
      await one;
    }
    expect(order).toEqual([0, 1, 2, 3, 4, 5]);
    await expect.poll(async () => (await queued()).size).toBe(0);
    await expect(a.take(false)).rejects.toMatchObject({ code: "busy" });
  });

  test("make room when they are idle and an agent of another host waits", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [await openHost(store, "a"), await openHost(store, "b")];
    const giveBack = [await a.take(), await a.take()];
    a.idle.push(...giveBack);
    await b.take();
    expect(a.idle).toHaveLength(1);
  });

  test("make room when they become idle while an agent of another host waits", async () => {
    const store = createMemoryStore({ isShared: true });
    const [a, b] = [await openHost(store, "a"), await openHost(store, "b")];
    const [giveBack] = [await a.take(), await a.take()];
    a.slots.offerIdle();
    const taken = b.take();
    await expect.poll(() => store.values.readValue("run-slot-wanted")).toBeDefined();
    a.idle.push(giveBack);
    a.slots.offerIdle();
    await taken;
  });

  test.each([1, -1])(
    "wait on and make room as before when a host's clock is set by %i h",
    async (hours) => {
      const clock = new ManualClock();
      const store = createMemoryStore({ isShared: true });
      let errorMs = 0;
      const stepped = {
        now: () => clock.now() + errorMs,
        wait: clock.wait.bind(clock),
      };
      const a = await openHost(store, "a", { clock: stepped });
      const b = await openHost(store, "b", { clock: stepped });
      const [giveBack] = [await a.take(), await a.take()];
      const taken = b.take();
      const wish = () => store.values.readValue("run-slot-wanted");
      let first = await wish();
      for (; first === undefined; first = await wish()) await clock.advance(0);
      errorMs = hours * 3_600_000;
      for (let passedMs = 0; (await wish()) === first; passedMs += 1_000) {
        expect(passedMs).toBeLessThan(60_000);
        await clock.advance(1_000);
      }
      a.idle.push(giveBack);
      a.slots.offerIdle();
      await passTime(clock, taken);
      // No host waits any more: idle agents stay when the last wish has run out.
      await clock.advance(6_000);
      a.idle.push(() => undefined);
      a.slots.offerIdle();
      expect(a.idle).toHaveLength(1);
    },
  );

  test("of a host that died are free, those of one that lives are not", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore({ isShared: true, clock });
    const [a, b] = [
      await openHost(store, "a", { limit: 1 }),
      await openHost(store, "b", { limit: 1 }),
    ];
    await a.take();
    clock.step(50_000);
    await store.renewHolder("b", 60_000);
    await expect(b.take(false)).rejects.toMatchObject({ code: "busy" });
    clock.step(20_000);
    await b.take(false);
  });

  test("stop waiting when they are not needed any more, and leave no slot taken", async () => {
    const store = createMemoryStore({ isShared: true });
    const a = await openHost(store, "a", { limit: 1 });
    const giveBack = await a.take();
    const abort = new AbortController();
    const waiting = a.slots.take({ signal: abort.signal, isPatient: true });
    abort.abort(new Error("interrupted"));
    await expect(waiting).rejects.toThrow("interrupted");
    giveBack();
    await a.take();
    expect(a.slots.taken).toBe(1);
  });

  test("are found by looking where no hint comes", async () => {
    const store = createMemoryStore({ isShared: true });
    const a = await openHost(store, "a", { limit: 1 });
    const giveBack = await a.take();
    const silent = new Proxy(store, {
      get: (target, name) => {
        if (name === "watch") return () => () => undefined;
        const member: unknown = Reflect.get(target, name, target);
        return typeof member === "function" ? member.bind(target) : member;
      },
    });
    const b = await openHost(silent, "b", { limit: 1 });
    const taken = b.take();
    await expect.poll(() => store.values.readValue("run-slot-wanted")).toBeDefined();
    giveBack();
    await passTime(b.clock, taken);
    expect(b.slots.taken).toBe(1);
  });

  test("are given back when the store answers again, and not started while it does not", async () => {
    const store = createMemoryStore({ isShared: true });
    const a = await openHost(store, "a", { limit: 1 });
    const takeSlot = store.values.takeSlot.bind(store.values);
    const releaseSlot = store.values.releaseSlot.bind(store.values);
    const giveBack = await a.take();
    const away = () => Promise.reject(new StoreError("unavailable", "the database is away"));
    store.values.releaseSlot = away;
    store.values.takeSlot = away;
    giveBack();
    await expect(a.take()).rejects.toMatchObject({ code: "unavailable" });
    expect(a.slots.taken).toBe(0);
    await expect.poll(() => a.errors.length).toBeGreaterThan(0);
    store.values.takeSlot = takeSlot;
    store.values.releaseSlot = releaseSlot;
    await passTime(a.clock, a.take());
    expect(a.slots.taken).toBe(1);
  });
});
