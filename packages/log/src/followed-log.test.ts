import { draft, type EventDraft, initialState } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { systemClock } from "@turnwire/base";
import { recordOf } from "./test-support/session.ts";
import { EventLog } from "./event-log.ts";
import { FollowedLog } from "./followed-log.ts";
import type { Store } from "./store.ts";
import { StoreError } from "./store-error.ts";
import { createMemoryStore } from "./store/memory.ts";

function note(text: string): EventDraft {
  return draft("notice", { level: "info", text });
}

function notes(count: number): EventDraft[] {
  return Array.from({ length: count }, (_, index) => note(String(index)));
}

/** A log that one host appends to and another follows through the same store. */
async function openLogs(options: { ringSize?: number; read?: Store["read"] } = {}) {
  const store = createMemoryStore();
  const lease = await store.createSession(recordOf("s1"), "owner", 3_600_000);
  const owned = new EventLog({ store, lease, clock: systemClock, ringSize: 8 });
  const read: Store["read"] = (...query) => (options.read ?? store.read.bind(store))(...query);
  const source = {
    read,
    readBase: (id: string) => store.readBase(id),
    findAttachment: (id: string, digest: string) => store.findAttachment(id, digest),
    readAttachment: (id: string, digest: string) => store.readAttachment(id, digest),
  };
  const follow = async (): Promise<FollowedLog> => {
    const current = (await store.getSession("s1")) ?? recordOf("s1");
    return new FollowedLog({ store: source, record: current, ringSize: options.ringSize ?? 8 });
  };
  const trim = async (seq: number): Promise<void> => {
    await store.trim("s1", lease.generation, { seq, state: { ...initialState(), seq } });
    owned.markTrimmed(seq);
  };
  return { store, owned, follow, trim, lease };
}

function heardBy(log: FollowedLog) {
  const seqs: number[] = [];
  const ends: string[] = [];
  log.subscribe({
    onEvents: (events) => seqs.push(...events.map(({ seq }) => seq)),
    onEnd: (reason) => ends.push(reason),
  });
  return { seqs, ends };
}

function upTo(last: number, first = 1): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

describe("a followed log", () => {
  test("reads nothing of a session that was recreated under its id", async () => {
    const { store, owned, follow, lease } = await openLogs();
    await owned.append(notes(2)).committed;
    const followed = await follow();
    const { seqs, ends } = heardBy(followed);
    await followed.advance(2);
    await store.deleteSession("s1", lease.generation);
    const next = await store.createSession({ ...recordOf("s1"), epoch: "other" }, "owner", 60_000);
    const other = new EventLog({ store, lease: next, clock: systemClock, ringSize: 8 });
    await other.append([note("of somebody else"), ...notes(4)]).committed;
    await followed.advance(5);
    expect([seqs, ends]).toEqual([[1, 2], ["released"]]);
  });

  test("hears every event once and in order, however it learns of them", async () => {
    const step = fc.record({ appended: fc.nat(12), off: fc.integer({ min: -20, max: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { owned, follow } = await openLogs();
        const log = await follow();
        const { seqs } = heardBy(log);
        for (const { appended, off } of steps) {
          const { committed } = owned.append(notes(appended));
          // A hint may be early, late, twice, or about something older.
          const hinted = [log.advance(owned.head + off), log.advance(owned.head)];
          await committed;
          await Promise.all([...hinted, log.advance(owned.head)]);
          expect(log.head).toBe(owned.head);
        }
        expect(seqs).toEqual(upTo(owned.head));
      }),
    );
  });

  test("misses nothing that becomes known as it finishes", async () => {
    const { owned, follow } = await openLogs();
    const log = await follow();
    const { seqs } = heardBy(log);
    await owned.append(notes(3)).committed;
    const first = log.advance(3);
    await owned.append(notes(2)).committed;
    const isLate = first.then(() => log.advance(5));
    await isLate;
    expect(seqs).toEqual(upTo(5));
  });

  test("gives what it has in memory, and from the store what is older", async () => {
    const { owned, follow } = await openLogs({ ringSize: 4 });
    const log = await follow();
    await owned.append(notes(60)).committed;
    await log.advance(60);
    await owned.append(notes(2)).committed;
    expect(log.recent(0, 100)).toBeUndefined();
    expect(log.recent(58, 100)?.map(({ seq }) => seq)).toEqual([59, 60]);
    // Not what it has not published yet.
    expect((await log.read(0, 100)).map(({ seq }) => seq)).toEqual(upTo(60));
    expect(log.verdict(60)).toEqual({ type: "resumed" });
    expect(log.verdict(61)).toMatchObject({ type: "gap", head: 60 });
    expect(log.verdict(0, "another")).toMatchObject({ type: "gap" });
  });

  test("has ended as closed once the session was closed, with its last event", async () => {
    const { owned, follow } = await openLogs();
    const log = await follow();
    const { seqs, ends } = heardBy(log);
    await owned.append([note("a"), draft("session_closed", { reason: "deleted", by: "me" })])
      .committed;
    await log.advance(2);
    expect({ seqs, ends }).toEqual({ seqs: [1, 2], ends: ["closed"] });
    log.end("released");
    const late = heardBy(log);
    expect(late.ends).toEqual(["closed"]);
  });

  test("sends its readers away when retention removed what it had not read", async () => {
    const { owned, follow, trim } = await openLogs();
    const log = await follow();
    const { seqs, ends } = heardBy(log);
    await owned.append(notes(3)).committed;
    await log.advance(3);
    await owned.append(notes(9)).committed;
    await trim(8);
    await log.advance(12);
    expect({ seqs, ends }).toEqual({ seqs: [1, 2, 3], ends: ["released"] });
    const next = await follow();
    await next.advance(12);
    expect(next.oldest).toBe(9);
    expect(next.verdict(3)).toMatchObject({ type: "gap", oldest: 9, head: 12 });
  });

  test("learns from a read what retention has removed meanwhile", async () => {
    const { owned, follow, trim } = await openLogs({ ringSize: 2 });
    const log = await follow();
    await owned.append(notes(60)).committed;
    await log.advance(60);
    await trim(30);
    expect(log.verdict(5)).toEqual({ type: "resumed" });
    expect((await log.read(5, 3)).map(({ seq }) => seq)).toEqual([31, 32, 33]);
    expect(log.verdict(5)).toMatchObject({ type: "gap", oldest: 31 });
  });

  test("continues after the store could not be read", async () => {
    let isAway = false;
    const { store, owned, follow } = await openLogs({
      read: async (...query) => {
        if (isAway) throw new StoreError("unavailable", "away");
        return store.read(...query);
      },
    });
    const log = await follow();
    const { seqs, ends } = heardBy(log);
    await owned.append(notes(3)).committed;
    isAway = true;
    await expect(log.advance(3)).rejects.toMatchObject({ code: "unavailable" });
    await expect(log.settled).resolves.toBeUndefined();
    isAway = false;
    await log.advance(0);
    expect({ seqs, ends }).toEqual({ seqs: [1, 2, 3], ends: [] });
  });

  test("sends all readers away when one of them cannot take an event", async () => {
    const { owned, follow } = await openLogs();
    const log = await follow();
    log.subscribe({
      onEvents: () => {
        throw new StoreError("damaged", "no JSON");
      },
      onEnd: () => undefined,
    });
    const { seqs, ends } = heardBy(log);
    await owned.append(notes(2)).committed;
    await expect(log.advance(2)).rejects.toMatchObject({ code: "damaged" });
    expect({ seqs, ends }).toEqual({ seqs: [], ends: ["released"] });
  });

  test("sends its readers away when the next event is damaged", async () => {
    const range = { first: 1, last: 1 };
    const { owned, follow } = await openLogs({
      read: () => Promise.reject(new StoreError("damaged", "damaged", { range })),
    });
    const log = await follow();
    const { ends } = heardBy(log);
    await owned.append(notes(1)).committed;
    await expect(log.advance(1)).rejects.toMatchObject({ code: "damaged" });
    expect(ends).toEqual(["released"]);
  });
});
