import { randomUUID } from "node:crypto";
import type { SessionRecord } from "@turnwire/log";
import { expect, test } from "vitest";
import { eventsFrom, lapse, newRecord, type StoreFixture, TTL_MS } from "./fixture.ts";

/** Sessions that need a host and have none. */
export function orphanContract({ store }: StoreFixture): void {
  /** A session with so many events that its holder has just let go of. */
  const released = async (given: Partial<SessionRecord>, count = 2): Promise<string> => {
    const { record, generation } = await store().createSession(newRecord(given), "host-x", TTL_MS);
    const { sessionId } = record;
    await store().append({ sessionId, generation, events: eventsFrom(1, count) });
    await store().releaseLease(sessionId, generation);
    return sessionId;
  };
  const orphansOf = async (ids: readonly string[], storage?: string) => {
    const query = { limit: 10_000, ...(storage !== undefined && { storage }) };
    const orphans = await store().listOrphans(query);
    return orphans.filter((id) => ids.includes(id));
  };

  test("a session is an orphan when it has something open, an agent or is half made", async () => {
    const orphans = [
      await released({ activity: "working", status: "hibernated" }),
      await released({ activity: "waiting", status: "hibernated" }),
      await released({ status: "live" }),
      await released({ isPartial: true, status: "hibernated" }),
    ];
    const settled = [
      await released({ status: "hibernated" }),
      // It never had an agent.
      await released({ status: "live" }, 1),
    ];
    expect(new Set(await orphansOf([...orphans, ...settled]))).toEqual(new Set(orphans));
  });

  test("a session with commands in its inbox is an orphan until they are answered", async () => {
    const sessionId = await released({ status: "hibernated" });
    const entryId = await store().putInboxEntry(sessionId, "{}");
    expect(await orphansOf([sessionId])).toEqual([sessionId]);
    const lease = await store().acquireLease({ sessionId, holder: "host-y", ttlMs: TTL_MS });
    expect(await orphansOf([sessionId])).toEqual([]);
    const generation = lease?.generation ?? 0;
    await store().answerInboxEntry(sessionId, generation, { entryId, result: "{}" });
    await store().releaseLease(sessionId, generation);
    expect(await orphansOf([sessionId])).toEqual([]);
  });

  test("a session of a living holder is none, and one whose holder died or left is", async () => {
    const holder = randomUUID();
    const record = newRecord({ activity: "working" });
    const ids = [record.sessionId];
    await store().createSession(record, holder, TTL_MS);
    expect(await orphansOf(ids)).toEqual([]);
    await lapse(store(), holder);
    expect(await orphansOf(ids)).toEqual(ids);
    await store().renewHolder(holder, TTL_MS);
    expect(await orphansOf(ids)).toEqual([]);
    await store().removeHolder(holder);
    expect(await orphansOf(ids)).toEqual(ids);
  });

  test("a deleted session is none", async () => {
    const sessionId = await released({ activity: "working" });
    await store().putInboxEntry(sessionId, "{}");
    const lease = await store().acquireLease({ sessionId, holder: "host-y", ttlMs: TTL_MS });
    await store().deleteSession(sessionId, lease?.generation ?? 0);
    expect(await orphansOf([sessionId])).toEqual([]);
  });

  test("only the sessions of one storage are listed, and those that name none", async () => {
    const [here, elsewhere] = [randomUUID(), randomUUID()];
    const open = { activity: "working" } as const;
    const mine = await released({ ...open, storage: here });
    const anywhere = await released(open);
    const other = await released({ ...open, storage: elsewhere });
    const ids = [mine, anywhere, other];
    expect(new Set(await orphansOf(ids, here))).toEqual(new Set([mine, anywhere]));
    expect(new Set(await orphansOf(ids))).toEqual(new Set(ids));
    expect((await store().getSession(mine))?.storage).toBe(here);
  });

  test("those whose record changed longest ago come first, no more than asked for", async () => {
    const open = { activity: "working" } as const;
    const at = (year: number) => ({ ...open, updatedAt: `${year}-01-01T00:00:00.000Z` });
    const newer = await released(at(1972));
    const oldest = await released(at(1970));
    const old = await released(at(1971));
    expect(await orphansOf([newer, oldest, old])).toEqual([oldest, old, newer]);
    expect(await store().listOrphans({ limit: 2 })).toEqual([oldest, old]);
    for (const sessionId of [newer, oldest, old]) await store().removeSession(sessionId);
  });
}
