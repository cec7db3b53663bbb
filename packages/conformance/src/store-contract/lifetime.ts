import type { Store } from "@turnwire/log";
import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  HOLDER,
  newLog,
  newSession,
  refusalOf,
  type StoreFixture,
  TTL_MS,
} from "./fixture.ts";

/** Closing and opening again. */
export function lifetimeContract({ createPlace, capabilities }: StoreFixture): void {
  test("close waits for what was accepted, and is harmless twice", async () => {
    const place = await createPlace();
    const store = await place.open();
    const { sessionId, generation } = await newLog(store, 1);
    let acked = 0;
    const appends = Array.from({ length: 100 }, async (_, index) => {
      await store.append({ sessionId, generation, events: eventsFrom(index + 2, index + 2) });
      acked += 1;
    });
    await Promise.all([store.close(), store.close()]);
    expect(acked).toBe(100);
    await Promise.all(appends);
    await store.close();
    await place.remove();
  });

  test("a closed store refuses everything as unavailable", async () => {
    const place = await createPlace();
    const store = await place.open();
    const { record, generation } = await newSession(store);
    const { sessionId } = record;
    await store.close();
    const calls: ((store: Store) => Promise<unknown>)[] = [
      (closed) => closed.append({ sessionId, generation, events: [] }),
      (closed) => closed.read(sessionId, 0, 1),
      (closed) => closed.getSession(sessionId),
      (closed) => closed.listSessions({ limit: 1 }),
      (closed) => closed.findInput(sessionId, "c"),
      (closed) => closed.findAttachment(sessionId, "d"),
      (closed) => closed.readAttachment(sessionId, "d"),
      (closed) => closed.readBase(sessionId),
      (closed) => closed.trim(sessionId, generation, baseAt(0)),
      (closed) => closed.deleteSession(sessionId, generation),
      (closed) => closed.createSession(record, HOLDER, TTL_MS),
      (closed) => closed.acquireLease({ sessionId, holder: HOLDER, ttlMs: TTL_MS }),
      (closed) => closed.renewHolder(HOLDER, TTL_MS),
      (closed) => closed.removeHolder(HOLDER),
      (closed) => closed.listHosts(),
      (closed) => closed.listOrphans({ limit: 1 }),
      (closed) => closed.putInboxEntry(sessionId, "{}"),
      (closed) => closed.readInbox(sessionId, 1),
      (closed) => closed.listWaitingInboxes(HOLDER),
      (closed) => closed.beginInboxEntry(sessionId, generation, "e"),
      (closed) => closed.answerInboxEntry(sessionId, generation, { entryId: "e", result: "{}" }),
      (closed) => closed.findInboxAnswer("e"),
      (closed) => closed.readHeads([sessionId]),
      (closed) => closed.removeSession(sessionId),
      (closed) => closed.purgeDeleted(0),
      (closed) => closed.values.readValue("k"),
      (closed) => closed.values.takeSlot("pool", { id: "s", holder: HOLDER }, 1),
      (closed) => closed.releaseLease(sessionId, generation),
    ];
    for (const call of calls) expect(await refusalOf(call(store))).toBe("unavailable");
    await place.remove();
  });

  test.runIf(capabilities.durable)("a store opened again has everything", async () => {
    const place = await createPlace();
    const first = await place.open();
    const { sessionId, generation } = await newLog(first, 20);
    const input = { clientMessageId: "c1", seq: 21, digest: "d" };
    const patch = { title: "kept" };
    const events = eventsFrom(21, 21);
    await first.append({ sessionId, generation, events, inputs: [input], patch });
    await first.trim(sessionId, generation, baseAt(5, "base"));
    const gone = await newLog(first, 3);
    await first.deleteSession(gone.sessionId, gone.generation);
    const record = await first.getSession(sessionId);
    await first.close();

    const second = await place.open();
    expect(await second.getSession(sessionId)).toStrictEqual(record);
    expect(await second.read(sessionId, 0, 100)).toStrictEqual(eventsFrom(6, 21));
    expect(await second.findInput(sessionId, "c1")).toStrictEqual(input);
    expect(await second.readBase(sessionId)).toStrictEqual(baseAt(5, "base"));
    expect(await second.getSession(gone.sessionId)).toBeUndefined();
    await second.removeHolder(HOLDER);
    const lease = await second.acquireLease({ sessionId, holder: "host-b", ttlMs: TTL_MS });
    expect(lease?.generation).toBeGreaterThan(generation);
    expect(lease?.record).toStrictEqual(record);
    await second.close();
    await place.remove();
  });

  test.runIf(capabilities.durable && !capabilities.shared)(
    "a lease from before the store was opened again is lost",
    async () => {
      const place = await createPlace();
      const first = await place.open();
      const { sessionId, generation } = await newLog(first, 1);
      await first.close();
      const second = await place.open();
      const late = second.append({ sessionId, generation, events: eventsFrom(2, 2) });
      expect(await refusalOf(late)).toBe("lease_lost");
      expect(await second.renewHolder(HOLDER, TTL_MS)).toBe(false);
      await second.close();
      await place.remove();
    },
  );
}
