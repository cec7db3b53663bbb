import { randomUUID } from "node:crypto";
import type { HostDescription, Store } from "@turnwire/log";
import { expect, test } from "vitest";
import {
  baseAt,
  eventsFrom,
  lapse,
  newLog,
  newRecord,
  refusalOf,
  type StoreFixture,
  TTL_MS,
} from "./fixture.ts";

const description: HostDescription = {
  name: "machine one",
  storage: "disk-a",
  version: "1.2.3",
  startedAt: "2026-11-15T09:00:00.000Z",
  isDraining: false,
  liveRuns: 2,
};

const hostOf = async (store: Store, hostId: string) =>
  (await store.listHosts()).find((host) => host.hostId === hostId);

/** Living hosts, and the leases of dead ones. */
export function holderContract({ store }: StoreFixture): void {
  const acquire = (sessionId: string, holder: string) =>
    store().acquireLease({ sessionId, holder, ttlMs: TTL_MS });
  const heldLog = async (holder: string, count = 1) => newLog(store(), count, holder);

  test("a living holder keeps another one out, and gets newer generations itself", async () => {
    const [mine, other] = [randomUUID(), randomUUID()];
    const { sessionId, generation } = await heldLog(mine);
    expect(await acquire(sessionId, other)).toBeUndefined();
    await store().append({ sessionId, generation, events: eventsFrom(2, 2) });
    const again = await acquire(sessionId, mine);
    expect(again?.generation).toBeGreaterThan(generation);
    expect(await acquire(sessionId, other)).toBeUndefined();
  });

  test("a holder that is refused a session does not live by asking for it", async () => {
    const late = randomUUID();
    const left = await heldLog(late);
    const { sessionId } = await heldLog(randomUUID());
    await lapse(store(), late);
    expect(await acquire(sessionId, late)).toBeUndefined();
    const append = store().append({ ...left, events: eventsFrom(2, 2) });
    expect(await refusalOf(append)).toBe("lease_lost");
  });

  test("of many holders that want a session at once, one gets it", async () => {
    const { sessionId, generation } = await heldLog(randomUUID());
    await store().releaseLease(sessionId, generation);
    const leases = await Promise.all(
      Array.from({ length: 10 }, () => acquire(sessionId, randomUUID())),
    );
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  test("a holder whose time ran out may write nothing, and another one can take its sessions", async () => {
    const [dead, next] = [randomUUID(), randomUUID()];
    const { sessionId, generation, events } = await heldLog(dead, 2);
    const entryId = await store().putInboxEntry(sessionId, "{}");
    await lapse(store(), dead);
    const append = store().append({ sessionId, generation, events: eventsFrom(3, 3) });
    expect(await refusalOf(append)).toBe("lease_lost");
    expect(await refusalOf(store().trim(sessionId, generation, baseAt(1)))).toBe("lease_lost");
    expect(await refusalOf(store().deleteSession(sessionId, generation))).toBe("lease_lost");
    const begin = store().beginInboxEntry(sessionId, generation, entryId);
    expect(await refusalOf(begin)).toBe("lease_lost");
    const answer = { entryId, result: "{}" };
    const answered = store().answerInboxEntry(sessionId, generation, answer);
    expect(await refusalOf(answered)).toBe("lease_lost");
    expect(await store().findInboxAnswer(entryId)).toBeUndefined();
    const lease = await acquire(sessionId, next);
    expect(lease?.generation).toBeGreaterThan(generation);
    expect(await store().read(sessionId, 0, 10)).toStrictEqual(events);
  });

  test("a holder that lives again has what was not taken, and nothing else", async () => {
    const [late, other] = [randomUUID(), randomUUID()];
    const taken = await heldLog(late);
    const left = await heldLog(late);
    await lapse(store(), late);
    await acquire(taken.sessionId, other);
    expect(await store().renewHolder(late, TTL_MS)).toBe(false);
    const stale = store().append({ ...taken, events: eventsFrom(2, 2) });
    expect(await refusalOf(stale)).toBe("lease_lost");
    await store().append({ ...left, events: eventsFrom(2, 2) });
    expect(await acquire(taken.sessionId, late)).toBeUndefined();
    expect(await acquire(left.sessionId, other)).toBeUndefined();
  });

  test("renewing reports whether the holder was still alive", async () => {
    const holder = randomUUID();
    expect(await store().renewHolder(holder, TTL_MS)).toBe(false);
    expect(await store().renewHolder(holder, TTL_MS)).toBe(true);
    await lapse(store(), holder);
    expect(await store().renewHolder(holder, TTL_MS)).toBe(false);
    expect(await store().renewHolder(holder, TTL_MS)).toBe(true);
    await store().removeHolder(holder);
    expect(await store().renewHolder(holder, TTL_MS)).toBe(false);
  });

  test("whoever creates or takes a session lives, and no shorter than before", async () => {
    const [creator, taker, other] = [randomUUID(), randomUUID(), randomUUID()];
    const { sessionId, generation } = await heldLog(creator);
    expect(await store().renewHolder(creator, TTL_MS)).toBe(true);
    await store().createSession(newRecord(), creator, 1);
    await store().releaseLease(sessionId, generation);
    await acquire(sessionId, taker);
    await store().acquireLease({ sessionId, holder: taker, ttlMs: 1 });
    // The store's clock has moved on by more than that once another holder's time ran out.
    await lapse(store(), other);
    expect(await store().renewHolder(taker, TTL_MS)).toBe(true);
    expect(await store().renewHolder(creator, TTL_MS)).toBe(true);
  });

  test("a holder that is removed leaves its sessions to the others", async () => {
    const [gone, next] = [randomUUID(), randomUUID()];
    const { sessionId, generation } = await heldLog(gone);
    await store().removeHolder(gone);
    const late = store().append({ sessionId, generation, events: eventsFrom(2, 2) });
    expect(await refusalOf(late)).toBe("lease_lost");
    expect(await store().renewHolder(gone, TTL_MS)).toBe(false);
    expect(await refusalOf(store().append({ sessionId, generation, events: [] }))).toBe(
      "lease_lost",
    );
    expect((await acquire(sessionId, next))?.generation).toBeGreaterThan(generation);
    await expect(store().removeHolder("unknown")).resolves.toBeUndefined();
  });

  test("a session is removed without a lease only while no living holder has it", async () => {
    const holder = randomUUID();
    const { sessionId } = await heldLog(holder);
    expect(await refusalOf(store().removeSession(sessionId))).toBe("lease_lost");
    await lapse(store(), holder);
    await store().removeSession(sessionId);
    expect(await store().getSession(sessionId)).toBeUndefined();
    expect(await refusalOf(store().read(sessionId, 0, 10))).toBe("session_unknown");
    expect(await refusalOf(store().removeSession(sessionId))).toBe("session_unknown");
  });

  test("hosts are listed as they last described themselves, with what they hold", async () => {
    const [hostId, silent] = [randomUUID(), randomUUID()];
    await store().renewHolder(hostId, TTL_MS, description);
    await store().renewHolder(silent, TTL_MS);
    const first = await heldLog(hostId);
    await heldLog(hostId);
    expect(await hostOf(store(), hostId)).toStrictEqual({
      ...description,
      hostId,
      isAlive: true,
      seenAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      sessions: 2,
    });
    expect(await hostOf(store(), silent)).toBeUndefined();
    await store().releaseLease(first.sessionId, first.generation);
    const url = "https://one.example/";
    await store().renewHolder(hostId, TTL_MS, { ...description, url, isDraining: true });
    await store().renewHolder(hostId, TTL_MS);
    const draining = { url, isDraining: true, sessions: 1 };
    expect(await hostOf(store(), hostId)).toMatchObject(draining);
  });

  test("a host that died is still listed, one that left is not", async () => {
    const [dead, left] = [randomUUID(), randomUUID()];
    await store().renewHolder(dead, TTL_MS, description);
    await store().renewHolder(left, TTL_MS, description);
    await lapse(store(), dead);
    await store().removeHolder(left);
    expect(await hostOf(store(), dead)).toMatchObject({ name: "machine one", isAlive: false });
    expect(await hostOf(store(), left)).toBeUndefined();
    await store().removeHolder(dead);
    expect(await hostOf(store(), dead)).toBeUndefined();
  });
}
