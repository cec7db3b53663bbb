import type { StoredEvent } from "@turnwire/log";
import { expect, test } from "vitest";
import { eventsFrom, newLog, newSession, refusalOf, type StoreFixture } from "./fixture.ts";

/** Order, contiguity and bytes. */
export function appendContract({ store }: StoreFixture): void {
  test("what was appended is read back in order, byte for byte", async () => {
    const { generation, record } = await newSession(store());
    const { sessionId } = record;
    const texts = [
      "",
      "NUL \0 here",
      "line\nfeed\r\nand \u2028 \u2029",
      "😀 𝔘 é e\u0301 \u202e",
      "lone \ud800 surrogate",
      "'; DROP TABLE events; --",
      "\ufeffmark",
    ];
    const events = texts.map((text, index): StoredEvent => {
      const seq = index + 1;
      return { seq, type: "delta", json: JSON.stringify({ seq, data: { text } }) };
    });
    await store().append({ sessionId, generation, events });
    expect(await store().read(sessionId, 0, 100)).toStrictEqual(events);
  });

  test("an event of many megabytes comes back whole", async () => {
    const { generation, record } = await newSession(store());
    const { sessionId } = record;
    const json = JSON.stringify({ seq: 1, data: { text: "añ😀\u2028".repeat(1_000_000) } });
    await store().append({ sessionId, generation, events: [{ seq: 1, type: "delta", json }] });
    const [event] = await store().read(sessionId, 0, 1);
    expect(event?.json.length).toBe(json.length);
    expect(event?.json === json).toBe(true);
  });

  test.for([
    { what: "a gap", events: eventsFrom(5, 6) },
    { what: "a repeat of the newest event", events: eventsFrom(3, 3, "other words") },
    { what: "a repeat of an old event", events: eventsFrom(1, 1, "other words") },
    { what: "a batch with a hole inside", events: [...eventsFrom(4, 4), ...eventsFrom(6, 6)] },
    { what: "a batch out of order", events: eventsFrom(4, 5).toReversed() },
    { what: "a seq of zero", events: eventsFrom(0, 0) },
    { what: "a seq between two numbers", events: eventsFrom(3.5, 3.5) },
  ])("$what is refused as not_contiguous and changes nothing", async ({ events }) => {
    const { sessionId, generation, events: kept } = await newLog(store(), 3);
    const inputs = [{ clientMessageId: "c1", seq: 4, digest: "d" }];
    const patch = { title: "never" };
    const work = store().append({ sessionId, generation, events, inputs, patch });
    expect(await refusalOf(work)).toBe("not_contiguous");
    expect(await store().read(sessionId, 0, 100)).toStrictEqual(kept);
    expect(await store().findInput(sessionId, "c1")).toBeUndefined();
    expect(await store().getSession(sessionId)).not.toHaveProperty("title");
    await store().append({ sessionId, generation, events: eventsFrom(4, 4) });
  });

  test("appends are applied in the order of the calls, without waiting between them", async () => {
    const { generation, record } = await newSession(store());
    const { sessionId } = record;
    const batches = Array.from({ length: 200 }, (_, index) => eventsFrom(index + 1, index + 1));
    await Promise.all(batches.map((events) => store().append({ sessionId, generation, events })));
    expect(await store().read(sessionId, 0, 1000)).toStrictEqual(batches.flat());
  });

  test("a refused append between good ones disturbs neither them nor other sessions", async () => {
    const first = await newLog(store(), 1);
    const second = await newLog(store(), 1);
    const append = (log: typeof first, events: StoredEvent[]) =>
      store().append({ sessionId: log.sessionId, generation: log.generation, events });
    const outcomes = await Promise.allSettled([
      append(first, eventsFrom(2, 3)),
      append(first, eventsFrom(9, 9)),
      append(second, eventsFrom(2, 2)),
      append(first, eventsFrom(4, 4)),
    ]);
    expect(outcomes.map((outcome) => outcome.status)).toStrictEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
    ]);
    expect(await store().read(first.sessionId, 0, 10)).toStrictEqual(eventsFrom(1, 4));
    expect(await store().read(second.sessionId, 0, 10)).toStrictEqual(eventsFrom(1, 2));
  });

  test("many sessions written in parallel keep each its own gapless log", async () => {
    const leases = await Promise.all(Array.from({ length: 50 }, () => newSession(store())));
    await Promise.all(
      leases.map(async ({ generation, record: { sessionId } }) => {
        for (let seq = 1; seq <= 20; seq += 2) {
          const events = eventsFrom(seq, seq + 1, sessionId);
          await store().append({ sessionId, generation, events });
        }
      }),
    );
    for (const { sessionId } of leases.map((lease) => lease.record)) {
      expect(await store().read(sessionId, 0, 100)).toStrictEqual(eventsFrom(1, 20, sessionId));
      expect(await store().getSession(sessionId)).toMatchObject({ head: 20 });
    }
  });

  test("an event stays as it was appended, whatever writers and readers do to theirs", async () => {
    const { sessionId, events } = await newLog(store(), 1);
    const read = await store().read(sessionId, 0, 10);
    for (const event of [...events, ...read]) Reflect.set(event, "json", "{}");
    events.length = 0;
    read.length = 0;
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(eventsFrom(1, 1));
  });

  test("an append to an unknown session is refused as session_unknown", async () => {
    const work = store().append({ sessionId: "unknown", generation: 1, events: eventsFrom(1, 1) });
    expect(await refusalOf(work)).toBe("session_unknown");
  });
}
