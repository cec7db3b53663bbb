import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  HOLDER,
  newLog,
  newRecord,
  newSession,
  refusalOf,
  type StoreFixture,
  TTL_MS,
} from "./fixture.ts";

/** Leases, generations and fencing. */
export function leaseContract({ store }: StoreFixture): void {
  const acquire = (sessionId: string, holder = HOLDER) =>
    store().acquireLease({ sessionId, holder, ttlMs: TTL_MS });

  test("creating a session gives the lease and the record with an empty log", async () => {
    const record = newRecord({ head: 7, trimmed: 3 });
    const lease = await store().createSession(record, HOLDER, TTL_MS);
    expect(lease.record).toStrictEqual({ ...record, head: 0, trimmed: 0 });
    expect(await store().getSession(record.sessionId)).toStrictEqual(lease.record);
    expect(await store().read(record.sessionId, 0, 10)).toStrictEqual([]);
  });

  test("creating a session twice is refused as session_exists and leaves the first", async () => {
    const { record, generation } = await newSession(store());
    const again = store().createSession({ ...record, owner: "eve" }, HOLDER, TTL_MS);
    expect(await refusalOf(again)).toBe("session_exists");
    expect(await store().getSession(record.sessionId)).toStrictEqual(record);
    const { sessionId } = record;
    await store().append({ sessionId, generation, events: eventsFrom(1, 1) });
  });

  test("of two that create the same session at once, one gets it", async () => {
    const record = newRecord();
    const outcomes = await Promise.allSettled([
      store().createSession(record, HOLDER, TTL_MS),
      store().createSession(record, HOLDER, TTL_MS),
    ]);
    expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  });

  test("each acquire gives a higher generation and the record as it is", async () => {
    const { sessionId, generation } = await newLog(store(), 3);
    const second = await acquire(sessionId);
    const third = await acquire(sessionId);
    expect(second?.generation).toBeGreaterThan(generation);
    expect(third?.generation).toBeGreaterThan(second?.generation ?? 0);
    expect(third?.record).toStrictEqual(await store().getSession(sessionId));
    expect(third?.record.head).toBe(3);
  });

  test("an acquire that follows an append in the same tick sees it", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const patch = { title: "seen" };
    const [, lease] = await Promise.all([
      store().append({ sessionId, generation, events: eventsFrom(2, 3), patch }),
      acquire(sessionId),
    ]);
    expect(lease?.record).toMatchObject({ head: 3, title: "seen" });
  });

  test("a stale generation may write nothing: lease_lost, and the log stays", async () => {
    const { sessionId, generation, events } = await newLog(store(), 2);
    const lease = await acquire(sessionId);
    const append = store().append({ sessionId, generation, events: eventsFrom(3, 3) });
    expect(await refusalOf(append)).toBe("lease_lost");
    expect(await refusalOf(store().deleteSession(sessionId, generation))).toBe("lease_lost");
    expect(await refusalOf(store().trim(sessionId, generation, baseAt(1)))).toBe("lease_lost");
    await store().releaseLease(sessionId, generation);
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(events);
    const current = { sessionId, generation: lease?.generation ?? 0 };
    await store().append({ ...current, events: eventsFrom(3, 3) });
  });

  test("a generation that was never given may not write", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const future = store().append({
      sessionId,
      generation: generation + 1,
      events: eventsFrom(2, 2),
    });
    expect(await refusalOf(future)).toBe("lease_lost");
  });

  test("a lease that was released writes no more, and another holder can have the session", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    await store().releaseLease(sessionId, generation);
    const late = store().append({ sessionId, generation, events: eventsFrom(2, 2) });
    expect(await refusalOf(late)).toBe("lease_lost");
    const next = await acquire(sessionId, "host-b");
    expect(next?.generation).toBeGreaterThan(generation);
    expect(next?.record.head).toBe(1);
  });

  test("an unknown session has no lease to give or release", async () => {
    expect(await acquire("unknown")).toBeUndefined();
    await expect(store().releaseLease("unknown", 1)).resolves.toBeUndefined();
  });
}
