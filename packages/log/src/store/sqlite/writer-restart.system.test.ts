import { randomInt } from "node:crypto";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Clock } from "@turnwire/base";
import type { Store } from "../../store.ts";
import { StoreError } from "../../store-error.ts";
import { openWithThread } from "./sqlite-store.ts";
import { eventsFrom, LEASE_MS, recordOf } from "../../test-support/session.ts";
import { openForTest, temporaryPath } from "./test-support/temporary-store.ts";
import { WriterThread } from "./writer-thread.ts";

/** How many commits each thread lives for. All together they are fewer than the test needs, however many sessions share one. */
const lives =
  process.env["TURNWIRE_SOAK"] === "1"
    ? Array.from({ length: 3 }, () => randomInt(2, 45))
    : [17, 44, 5];
const isPassing: ReadonlySet<string> = new Set(["unavailable", "lease_lost"]);
const acquire = (sessionId: string) => ({ sessionId, holder: "test", ttlMs: LEASE_MS });

/**
 * A store whose n-th writer thread ends at the n-th fault; those after them stay. Killing a thread
 * from outside would not do: libsql aborts the process when that meets one of its calls.
 */
async function openMortal(faults: readonly string[], options: { clock?: Clock } = {}) {
  const path = await temporaryPath();
  await (await openForTest(path)).close();
  const failures: StoreError[] = [];
  let started = 0;
  const store = await openWithThread(
    { path, ...options, onFailed: (error) => failures.push(error) },
    async (thread) => {
      vi.stubEnv("TURNWIRE_FAULT", faults[started] ?? "");
      started += 1;
      const starting = WriterThread.start(thread);
      vi.unstubAllEnvs();
      return starting;
    },
  );
  onTestFinished(() => store.close());
  return { path, store, failures };
}

/** Appends one event after another, each with its own input, loading again whenever that fails. */
async function appendAll(store: Store, sessionId: string, count: number): Promise<number[]> {
  const acked: number[] = [];
  for (;;) {
    const lease = await store.acquireLease(acquire(sessionId)).catch(() => undefined);
    if (!lease) continue;
    const { head } = lease.record;
    // At most the write whose outcome was unknown is there beside what was acked.
    const found = await store.findInput(sessionId, `input ${head}`);
    if (head > (acked.at(-1) ?? 0) && found?.seq === head) acked.push(head);
    try {
      for (let seq = head + 1; seq <= count; seq += 1) {
        const inputs = [{ clientMessageId: `input ${seq}`, seq, digest: "d" }];
        const events = eventsFrom(seq, seq);
        await store.append({ sessionId, generation: lease.generation, events, inputs });
        acked.push(seq);
      }
      return acked;
    } catch (error) {
      const isExpected = error instanceof StoreError && isPassing.has(error.code);
      if (!isExpected) throw error;
    }
  }
}

describe("a writer thread that dies", () => {
  test("is started again; nothing acknowledged is lost or doubled, whenever it is killed", async () => {
    const points = ["before_commit", "after_commit", "before_commit"];
    const faults = points.map((point, index) => `${point}:exit:${lives[index]}`);
    const { path, store, failures } = await openMortal(faults);
    const ids = Array.from({ length: 8 }, (_, index) => `session-${index}`);
    await Promise.all(ids.map((id) => store.createSession(recordOf(id), "test", LEASE_MS)));
    const acked = await Promise.all(ids.map((id) => appendAll(store, id, 150)));
    for (const seqs of acked) expect(seqs).toEqual(Array.from({ length: 150 }, (_, i) => i + 1));
    expect(failures).toEqual([]);
    expect(await store.health()).toMatchObject({ isWritable: true, restarts: 3 });
    await store.close();
    const reopened = await openForTest(path);
    for (const id of ids) {
      expect(await reopened.read(id, 0, 1000)).toStrictEqual(eventsFrom(1, 150));
      expect(await reopened.getSession(id)).toMatchObject({ head: 150, epoch: "first" });
    }
  });

  test("refuses what was written with a lease of the dead thread", async () => {
    const { store } = await openMortal(["before_commit:exit:2"]);
    const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
    const second = store.createSession(recordOf("two"), "test", LEASE_MS);
    await expect(second).rejects.toMatchObject({ code: "unavailable" });
    expect(await store.renewHolder("test", 60_000)).toBe(false);
    const events = eventsFrom(1, 1);
    await expect(store.append({ sessionId: "one", generation, events })).rejects.toMatchObject({
      code: "lease_lost",
    });
    const lease = await store.acquireLease(acquire("one"));
    await store.append({ sessionId: "one", generation: lease?.generation ?? 0, events });
    expect(await store.read("one", 0, 10)).toStrictEqual(events);
  });

  test.for([
    { point: "before_commit", head: 0 },
    { point: "after_commit", head: 1 },
  ])("at $point rejects the write, and the store reports what became of it", async (fault) => {
    // The two creations are committed.
    const { store } = await openMortal([`${fault.point}:exit:3`]);
    const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
    const second = await store.createSession(recordOf("two"), "test", LEASE_MS);
    const inputs = [{ clientMessageId: "m1", seq: 1, digest: "d" }];
    const batch = { sessionId: "one", events: eventsFrom(1, 1), inputs };
    await expect(store.append({ ...batch, generation })).rejects.toMatchObject({
      code: "unavailable",
    });
    const lease = await store.acquireLease(acquire("one"));
    expect(lease?.record).toMatchObject({ head: fault.head, epoch: "first" });
    const input = await store.findInput("one", "m1");
    expect(input?.seq).toBe(fault.head === 1 ? 1 : undefined);
    if (!input) await store.append({ ...batch, generation: lease?.generation ?? 0 });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 1));
    const stale = { sessionId: "two", generation: second.generation, events: eventsFrom(1, 1) };
    await expect(store.append(stale)).rejects.toMatchObject({ code: "lease_lost" });
  });

  test("and dies again each time leaves a store that has failed for good and can still be read", async () => {
    const pauses: number[] = [];
    const clock: Clock = {
      now: () => 0,
      wait: async (ms) => void pauses.push(ms),
    };
    const faults = ["before_commit:exit:3", ...Array<string>(5).fill("before_commit:exit")];
    const { store, failures } = await openMortal(faults, { clock });
    const { generation } = await store.createSession(recordOf("one"), "test", LEASE_MS);
    await store.append({ sessionId: "one", generation, events: eventsFrom(1, 3) });
    while (failures.length === 0) {
      await expect(store.acquireLease(acquire("one"))).rejects.toMatchObject({
        code: "unavailable",
      });
    }
    expect(pauses).toEqual([0, 100, 400, 1000, 2000]);
    expect(failures).toMatchObject([
      { code: "unavailable", message: expect.stringContaining("can no longer write") },
    ]);
    await expect(store.acquireLease(acquire("one"))).rejects.toBe(failures[0]);
    expect(await store.health()).toMatchObject({
      isWritable: false,
      reason: failures[0]?.message,
      restarts: 5,
    });
    expect(await store.read("one", 0, 10)).toStrictEqual(eventsFrom(1, 3));
  });
});
