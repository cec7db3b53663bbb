import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  HOLDER,
  lapse,
  newLog,
  newRecord,
  refusalOf,
  type StoreFixture,
  TTL_MS,
} from "./fixture.ts";

/** The remains of a deleted session, and how long they last. */
export function deletionContract({ store, createPlace, capabilities }: StoreFixture): void {
  test("a deleted session is unknown but for its last events, and its id starts a new one", async () => {
    const { sessionId, generation } = await newLog(store(), 3);
    const inputs = [{ clientMessageId: "c1", seq: 4, digest: "d" }];
    await store().append({ sessionId, generation, events: eventsFrom(4, 4), inputs });
    await store().trim(sessionId, generation, baseAt(1));
    await store().deleteSession(sessionId, generation);
    expect(await store().getSession(sessionId)).toBeUndefined();
    const listed = await store().listSessions({ limit: 10_000 });
    expect(listed.filter((record) => record.sessionId === sessionId)).toEqual([]);
    expect(await store().findInput(sessionId, "c1")).toBeUndefined();
    expect(await store().readBase(sessionId)).toBeUndefined();
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(eventsFrom(2, 4));
    expect(await store().read(sessionId, 3, 10)).toStrictEqual(eventsFrom(4, 4));
    const request = { sessionId, holder: HOLDER, ttlMs: TTL_MS };
    expect(await store().acquireLease(request)).toBeUndefined();
    const late = store().append({ sessionId, generation, events: eventsFrom(5, 5) });
    expect(await refusalOf(late)).toBe("session_unknown");
    expect(await refusalOf(store().deleteSession(sessionId, generation))).toBe("session_unknown");
    expect(await refusalOf(store().removeSession(sessionId))).toBe("session_unknown");

    const record = newRecord({ sessionId, owner: "bob" });
    const lease = await store().createSession(record, HOLDER, TTL_MS);
    expect(await store().read(sessionId, 0, 10)).toStrictEqual([]);
    expect(await store().readBase(sessionId)).toBeUndefined();
    const events = eventsFrom(1, 1, "new");
    await store().append({ sessionId, generation: lease.generation, events, inputs });
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(events);
  });

  test("a generation of the deleted session is not good for a new one with its id", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    await store().deleteSession(sessionId, generation);
    await store().createSession(newRecord({ sessionId }), HOLDER, TTL_MS);
    const stale = store().append({ sessionId, generation, events: eventsFrom(1, 1) });
    expect(await refusalOf(stale)).toBe("lease_lost");
  });

  const refusalsOf = (sessionId: string, generations: readonly number[]) =>
    Promise.all(
      generations.map((generation) =>
        refusalOf(store().append({ sessionId, generation, events: eventsFrom(1, 1) })),
      ),
    );

  test("nor is one of a session that was removed or purged, however many leases each has had", async () => {
    for (const leases of [1, 2, 3]) {
      const { sessionId, generation } = await newLog(store(), 0, "gone");
      const given = [generation];
      const request = { sessionId, holder: "gone", ttlMs: TTL_MS };
      while (given.length < leases) {
        given.push((await store().acquireLease(request))?.generation ?? 0);
      }
      await lapse(store(), "gone");
      await store().removeSession(sessionId);
      const second = await store().createSession(newRecord({ sessionId }), HOLDER, TTL_MS);
      expect(new Set(await refusalsOf(sessionId, given))).toEqual(new Set(["lease_lost"]));
      await store().deleteSession(sessionId, second.generation);
      await store().purgeDeleted(0);
      await store().createSession(newRecord({ sessionId }), HOLDER, TTL_MS);
      given.push(second.generation);
      expect(new Set(await refusalsOf(sessionId, given))).toEqual(new Set(["lease_lost"]));
    }
  });

  test("the last events can be read until they are purged, which only takes old ones", async () => {
    const { sessionId, generation, events } = await newLog(store(), 3);
    const kept = await newLog(store(), 1);
    await store().deleteSession(sessionId, generation);
    await store().purgeDeleted(60_000);
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(events);
    await store().purgeDeleted(0);
    expect(await refusalOf(store().read(sessionId, 0, 10))).toBe("session_unknown");
    expect(await store().read(kept.sessionId, 0, 10)).toStrictEqual(kept.events);
  });

  test("whoever reads a deleted session while it is purged, or recreated, never finds it damaged", async () => {
    const work: ((sessionId: string) => Promise<unknown>)[] = [
      () => store().purgeDeleted(0),
      (sessionId) => store().createSession(newRecord({ sessionId }), HOLDER, TTL_MS),
    ];
    for (const remove of work) {
      const { sessionId, generation } = await newLog(store(), 20_000);
      await store().deleteSession(sessionId, generation);
      const done = new AbortController();
      const removed = remove(sessionId).finally(() => done.abort());
      const refusals = new Set<string | undefined>();
      while (!done.signal.aborted) {
        refusals.add(await refusalOf(store().read(sessionId, 0, 10)));
        await new Promise(setImmediate);
      }
      await removed;
      refusals.delete("session_unknown");
      refusals.delete(undefined);
      expect([...refusals]).toEqual([]);
    }
  });

  test("heads are those of the sessions that can be read", async () => {
    const whole = await newLog(store(), 7);
    const trimmed = await newLog(store(), 5);
    await store().trim(trimmed.sessionId, trimmed.generation, baseAt(5));
    const deleted = await newLog(store(), 3);
    await store().deleteSession(deleted.sessionId, deleted.generation);
    const ids = [whole.sessionId, trimmed.sessionId, deleted.sessionId];
    const heads = [7, 5, 3];
    expect(await store().readHeads(["unknown", ...ids])).toEqual(
      new Map(ids.map((id, index) => [id, heads[index]])),
    );
    expect(await store().readHeads([])).toEqual(new Map());
    await store().purgeDeleted(0);
    expect([...(await store().readHeads(ids)).keys()].toSorted()).toEqual(
      ids.slice(0, 2).toSorted(),
    );
    const thousand = Array.from({ length: 1000 }, (_, index) => `unknown-${index}`);
    expect(await store().readHeads([...thousand, ...ids.slice(0, 1)])).toEqual(
      new Map([[whole.sessionId, 7]]),
    );
  });

  test.runIf(capabilities.durable)(
    "what was deleted is still deleted, and readable, in a store that is opened again",
    async () => {
      const place = await createPlace();
      const first = await place.open();
      const { sessionId, generation, events } = await newLog(first, 3);
      await first.deleteSession(sessionId, generation);
      await first.close();
      const second = await place.open();
      expect(await second.getSession(sessionId)).toBeUndefined();
      expect(await second.read(sessionId, 0, 10)).toStrictEqual(events);
      await second.purgeDeleted(0);
      expect(await refusalOf(second.read(sessionId, 0, 10))).toBe("session_unknown");
      await second.close();
      await place.remove();
    },
  );
}
