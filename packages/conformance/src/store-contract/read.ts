import type { StoredEvent } from "@turnwire/log";
import { expect, test } from "vitest";
import { eventsFrom, newLog, refusalOf, type StoreFixture } from "./fixture.ts";

/** Reads at every boundary. */
export function readContract({ store }: StoreFixture): void {
  test("a read gives the events after a position, up to its limit, at every boundary", async () => {
    const { sessionId, events } = await newLog(store(), 7);
    for (let after = 0; after <= 9; after += 1) {
      for (const limit of [0, 1, 2, 6, 7, 8, 1000]) {
        const expected = events.slice(after, after + limit);
        expect(await store().read(sessionId, after, limit)).toStrictEqual(expected);
      }
    }
  });

  test("a long log is read whole, in one call or in pages", async () => {
    const { sessionId, events } = await newLog(store(), 2345);
    expect(await store().read(sessionId, 0, 10_000)).toStrictEqual(events);
    const paged = [];
    while (paged.length < events.length) {
      const page = await store().read(sessionId, paged.at(-1)?.seq ?? 0, 250);
      expect(page).not.toHaveLength(0);
      paged.push(...page);
    }
    expect(paged).toStrictEqual(events);
  });

  test("a read takes as many events as fit into its bytes, but at least one, whatever their sizes", async () => {
    const { sessionId, generation } = await newLog(store(), 0);
    const sizes = [10, 300_000, 10, 10, 70_000, 70_000, 600_000, 10, 10];
    const small = Array.from({ length: 40 }, () => 20_000);
    const events = [...sizes, ...small].map((size, index) => largeEvent(index + 1, size));
    // Apart and together: stores may keep what comes together in one place.
    for (const event of events.slice(0, sizes.length)) {
      await store().append({ sessionId, generation, events: [event] });
    }
    await store().append({ sessionId, generation, events: events.slice(sizes.length) });
    for (const maxBytes of [0, 1, 50_000, 100_000, 150_000, 500_000, 10_000_000]) {
      const seen: StoredEvent[] = [];
      while (seen.length < events.length) {
        const page = await store().read(sessionId, seen.length, 1000, maxBytes);
        expect(page.length).toBeGreaterThan(0);
        const bytes = page.reduce((sum, event) => sum + event.json.length, 0);
        expect(page.length === 1 || bytes <= maxBytes).toBe(true);
        seen.push(...page);
      }
      expect(seen).toStrictEqual(events);
      expect(await store().read(sessionId, events.length, 1000, maxBytes)).toStrictEqual([]);
    }
    expect(await store().read(sessionId, 0, 3, 10_000_000)).toStrictEqual(events.slice(0, 3));
  });

  test("an event is there to read as soon as its append has resolved", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    for (let seq = 2; seq <= 30; seq += 1) {
      await store().append({ sessionId, generation, events: eventsFrom(seq, seq) });
      expect(await store().read(sessionId, seq - 1, 10)).toStrictEqual(eventsFrom(seq, seq));
    }
  });

  test("a reader among appends sees a prefix of the log, never a gap", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const batches = Array.from({ length: 40 }, (_, index) => {
      return eventsFrom(2 + index * 5, 6 + index * 5);
    });
    const appends = Promise.all(
      batches.map((events) => store().append({ sessionId, generation, events })),
    );
    for (let reads = 0; reads < 20; reads += 1) {
      const seen = await store().read(sessionId, 0, 1000);
      expect(seen).toStrictEqual(eventsFrom(1, seen.length));
    }
    await appends;
    expect(await store().read(sessionId, 0, 1000)).toStrictEqual(eventsFrom(1, 201));
  });

  test("a read of an unknown session is refused as session_unknown", async () => {
    expect(await refusalOf(store().read("unknown", 0, 10))).toBe("session_unknown");
  });

  test("what asks for one thing of an unknown session answers with nothing", async () => {
    expect(await store().getSession("unknown")).toBeUndefined();
    expect(await store().findInput("unknown", "c1")).toBeUndefined();
    expect(await store().readBase("unknown")).toBeUndefined();
  });
}

function largeEvent(seq: number, size: number): StoredEvent {
  return { seq, type: "notice", json: JSON.stringify({ seq, text: "x".repeat(size) }) };
}
