import { draft, type EventDraft } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "@turnwire/base";
import { interceptAppends, interceptStore } from "./test-support/intercepted-store.ts";
import { ManualClock } from "../../base/src/test-support/manual-clock.ts";
import { LEASE_MS, recordOf } from "./test-support/session.ts";
import { EventLog } from "./event-log.ts";
import type { Lease, Store, StoredEvent } from "./store.ts";
import { StoreError } from "./store-error.ts";
import { createMemoryStore } from "./store/memory.ts";

async function openLog(options: { store?: Store; ringSize?: number } = {}) {
  const store = options.store ?? createMemoryStore();
  const lease: Lease = await store.createSession(recordOf("s1"), "test", LEASE_MS);
  return new EventLog({ store, lease, clock: systemClock, ringSize: options.ringSize ?? 8 });
}

function note(text: string): EventDraft {
  return draft("notice", { level: "info", text });
}

/** Follows a log as transports do: what memory or store has, then what is committed. */
class Reader {
  readonly seqs: number[] = [];
  readonly #log: EventLog;
  #leave: () => void = () => undefined;

  constructor(log: EventLog) {
    this.#log = log;
  }

  async connect(after: number): Promise<void> {
    this.cut();
    let cursor = after;
    let isLive = false;
    this.#leave = this.#log.subscribe({
      onEvents: (events) => {
        if (isLive) this.#take(events);
      },
      onEnd: () => undefined,
    });
    while (cursor < this.#log.head) {
      const page = await this.#log.read(cursor, 3);
      this.#take(page);
      cursor = page.at(-1)?.seq ?? cursor;
    }
    isLive = true;
  }

  cut(): void {
    this.#leave();
  }

  #take(events: readonly StoredEvent[]): void {
    this.seqs.push(...events.map((event) => event.seq));
  }
}

describe("the event log", () => {
  test("delivers 1..n once for any interleaving of appends, cuts and resumes", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("append" as const), count: fc.integer({ min: 1, max: 7 }) }),
      fc.record({ type: fc.constant("cut" as const) }),
      fc.record({ type: fc.constant("resume" as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const log = await openLog({ ringSize: 5 });
        const reader = new Reader(log);
        const written: Promise<void>[] = [];
        for (const action of steps) {
          if (action.type === "append") {
            const drafts = Array.from({ length: action.count }, (_, index) => note(String(index)));
            written.push(log.append(drafts).committed);
          } else if (action.type === "cut") reader.cut();
          else await reader.connect(reader.seqs.length);
        }
        await Promise.all(written);
        await reader.connect(reader.seqs.length);
        expect(reader.seqs).toEqual(Array.from({ length: log.head }, (_, index) => index + 1));
      }),
      { numRuns: 200 },
    );
  });

  test("shows an event to no reader before the store has it", async () => {
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      await gate;
      await go();
    });
    const log = await openLog({ store });
    const seen: number[] = [];
    log.subscribe({ onEvents: (events) => seen.push(events.length), onEnd: () => undefined });
    const { events, committed } = log.append([note("a")]);
    expect(events[0]?.seq).toBe(1);
    expect(log.head).toBe(0);
    expect(log.recent(0, 10)).toEqual([]);
    expect(seen).toEqual([]);
    release();
    await committed;
    expect(seen).toEqual([1]);
    expect(log.head).toBe(1);
  });

  test("takes nothing more after a failed commit, and publishes nothing of it", async () => {
    let isFull = false;
    const store = interceptAppends(createMemoryStore(), async (_batch, go) => {
      if (isFull) throw new StoreError("unavailable", "the disk is full");
      await go();
    });
    const log = await openLog({ store });
    await log.append([note("kept")]).committed;
    isFull = true;
    await expect(log.append([note("lost")]).committed).rejects.toMatchObject({
      code: "unavailable",
    });
    isFull = false;
    await expect(log.append([note("later")]).committed).rejects.toMatchObject({
      code: "unavailable",
    });
    expect(log.head).toBe(1);
  });

  test("gives the same bytes from memory and from the store", async () => {
    const log = await openLog({ ringSize: 4 });
    const fresh: StoredEvent[] = [];
    log.subscribe({ onEvents: (events) => fresh.push(...events), onEnd: () => undefined });
    for (let index = 0; index < 100; index++)
      await log.append([note(`\u2028\r\n\0${index}`)]).committed;
    expect(log.recent(0, 100)).toBeUndefined();
    expect(await log.read(0, 100)).toEqual(fresh);
    expect(log.recent(98, 100)).toEqual(fresh.slice(98));
  });

  test("hands out large events in pages of bounded bytes, and lets the event loop run between them", async () => {
    for (const ringSize of [1, 1000]) {
      const log = await openLog({ ringSize });
      const text = "x".repeat(100_000);
      const large = (output: string) =>
        draft("tool_result", { tool_use_id: "t", output, is_error: false });
      for (let count = 0; count < 60; count++) await log.append([large(text)]).committed;
      await log.append([large("y".repeat(262_000)), note("end")]).committed;
      let ticks = 0;
      let next = setImmediate(function count() {
        ticks += 1;
        next = setImmediate(count);
      });
      const sizes: number[] = [];
      for (let after = 0; after < log.head;) {
        const page = await log.read(after, 1000);
        sizes.push(page.length);
        after = page.at(-1)?.seq ?? Infinity;
      }
      clearImmediate(next);
      expect(sizes).toEqual([...Array.from({ length: 30 }, () => 2), 1, 1]);
      // 6 MB, of which a tick takes 0.8 at most.
      expect(ticks).toBeGreaterThanOrEqual(7);
    }
  });

  test("says resumed only for a cursor it can resume from", async () => {
    const log = await openLog();
    await log.append([note("1"), note("2"), note("3")]).committed;
    expect(log.verdict(0)).toEqual({ type: "resumed" });
    expect(log.verdict(3, log.epoch)).toEqual({ type: "resumed" });
    const gap = { type: "gap", oldest: 1, head: 3, epoch: log.epoch };
    expect(log.verdict(4)).toEqual(gap);
    expect(log.verdict(3, "another")).toEqual(gap);
    log.markTrimmed(2);
    expect(log.verdict(1)).toEqual({ ...gap, oldest: 3 });
    expect(log.verdict(2)).toEqual({ type: "resumed" });
  });

  test("that turns out to be damaged says so to those who come back to it, and to no others", async () => {
    const memory = createMemoryStore();
    const range = { first: 4, last: 5 };
    const store: Store = interceptStore(memory, {
      async read(sessionId, after, limit, maxBytes) {
        if (after >= 3 && after < 5) throw new StoreError("damaged", "rotten", { range });
        const page = await memory.read(sessionId, after, limit, maxBytes);
        return page.filter(({ seq }) => after >= 5 || seq < 4);
      },
    });
    const log = await openLog({ store, ringSize: 1 });
    await log.append(Array.from({ length: 40 }, (_, index) => note(`${index}`))).committed;
    expect(log.verdict(3)).toEqual({ type: "resumed" });
    expect((await log.read(0, 10)).map(({ seq }) => seq)).toEqual([1, 2, 3]);
    await expect(log.read(3, 10)).rejects.toMatchObject({ code: "damaged" });
    expect([3, 4].map((after) => log.verdict(after))).toEqual([
      { type: "damaged", range },
      { type: "damaged", range },
    ]);
    expect([0, 2, 5, 40].map((after) => log.verdict(after).type)).toEqual(
      Array.from({ length: 4 }, () => "resumed"),
    );
    expect(log.verdict(41).type).toBe("gap");
  });

  test("orders by seq alone when the clock steps back", async () => {
    const clock = new ManualClock();
    const store = createMemoryStore();
    const lease = await store.createSession(recordOf("s1"), "test", LEASE_MS);
    const log = new EventLog({ store, lease, clock, ringSize: 8 });
    await log.append([note("first")]).committed;
    clock.step(-3_600_000);
    await log.append([note("second")]).committed;
    const texts = (await log.read(0, 10)).map((event) => JSON.parse(event.json).data.text);
    expect(texts).toEqual(["first", "second"]);
  });

  test("replaces what no JSON can carry by an error in its place", async () => {
    const log = await openLog();
    let deep: unknown = "end";
    for (let level = 0; level < 20_000; level++) deep = [deep];
    const native = { type: "native", data: { source: "agent", payload: deep } } as EventDraft;
    const { events } = log.append([note("before"), native, note("after")]);
    expect(events.map((event) => [event.seq, event.type])).toEqual([
      [1, "notice"],
      [2, "error"],
      [3, "notice"],
    ]);
    await log.settled;
  });
});
