import type { Store, StoreHint } from "@turnwire/log";
import { expect, onTestFinished, test } from "vitest";
import { eventsFrom, HOLDER, newLog, newRecord, type StoreFixture, TTL_MS } from "./fixture.ts";

/** As long as a test may take here; runners of others have shorter limits of their own. */
const patience = { timeout: 240_000 };

/** Collects hints until the test ends. */
function collect(store: Store): StoreHint[] {
  const hints: StoreHint[] = [];
  onTestFinished(store.watch((hint) => hints.push(hint)));
  return hints;
}

/** Waits for a hint; which others come, and how often, is not promised. */
function arrived(hints: readonly StoreHint[], hint: StoreHint): Promise<void> {
  return expect.poll(() => hints, patience).toContainEqual(hint);
}

/** Hints of the store, to listeners in the same process and, where it is shared, in others. */
export function hintContract({ store, createPlace, capabilities }: StoreFixture): void {
  /** Does everything that others learn of with `acting` and waits for the hint of each; answers with how many came. */
  async function hintsOfAll(acting: Store, hints: readonly StoreHint[]): Promise<number> {
    const record = newRecord({ owner: "ann" });
    const { sessionId } = record;
    const { generation } = await acting.createSession(record, HOLDER, TTL_MS);
    await arrived(hints, { type: "created", sessionId });

    await acting.append({ sessionId, generation, events: eventsFrom(1, 3) });
    const events = { type: "events", sessionId } as const;
    await arrived(hints, { ...events, head: 3, isRecordChanged: false });
    const patch = { title: "new" };
    await acting.append({ sessionId, generation, events: eventsFrom(4, 4), patch });
    await arrived(hints, { ...events, head: 4, isRecordChanged: true });

    const first = await acting.putInboxEntry(sessionId, "1");
    const second = await acting.putInboxEntry(sessionId, "2");
    await arrived(hints, { type: "inbox", sessionId });
    await acting.answerInboxEntry(sessionId, generation, { entryId: first, result: "{}" });
    await arrived(hints, { type: "answer", entryId: first });
    const answers = [{ entryId: second, result: "{}" }];
    await acting.append({ sessionId, generation, events: eventsFrom(5, 5), answers });
    await arrived(hints, { type: "answer", entryId: second });

    await acting.releaseLease(sessionId, generation);
    await arrived(hints, { type: "released", sessionId });
    const left = await newLog(acting, 1, "host-that-leaves");
    await acting.removeHolder("host-that-leaves");
    await arrived(hints, { type: "released", sessionId: left.sessionId });
    const lease = await acting.acquireLease({ sessionId, holder: HOLDER, ttlMs: TTL_MS });
    await acting.deleteSession(sessionId, lease?.generation ?? 0);
    await arrived(hints, { type: "removed", sessionId, owner: "ann" });
    await acting.removeSession(left.sessionId);
    await arrived(hints, { type: "removed", sessionId: left.sessionId, owner: "ann" });

    await acting.values.writeValue(`hint/${sessionId}`, "1");
    await arrived(hints, { type: "value", key: `hint/${sessionId}` });
    return hints.length;
  }

  test("whoever watches learns of what happens, also by itself", async () => {
    expect(await hintsOfAll(store(), collect(store()))).toBeGreaterThan(9);
  });

  test("a head is never beyond what can be read", async () => {
    const { sessionId, generation } = await newLog(store(), 1);
    const heads: number[] = [];
    const reads: Promise<unknown[]>[] = [];
    const stop = store().watch((hint) => {
      if (hint.type !== "events" || hint.sessionId !== sessionId) return;
      heads.push(hint.head);
      reads.push(store().read(sessionId, hint.head - 1, 1));
    });
    await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store().append({ sessionId, generation, events: eventsFrom(index + 2, index + 2) }),
      ),
    );
    await expect.poll(() => Math.max(...heads), patience).toBe(21);
    stop();
    for (const page of await Promise.all(reads)) expect(page).toHaveLength(1);
  });

  test("whoever has stopped watching learns of nothing more", async () => {
    const hints: StoreHint[] = [];
    const stop = store().watch((hint) => hints.push(hint));
    const others = collect(store());
    stop();
    stop();
    hints.length = 0;
    const { sessionId } = await newLog(store(), 1);
    await arrived(others, { type: "created", sessionId });
    expect(hints).toEqual([]);
  });

  test("a refused write is nothing to learn of", async () => {
    const hints = collect(store());
    const { sessionId, generation } = await newLog(store(), 1);
    const stale = store().append({ sessionId, generation: 0, events: eventsFrom(2, 9) });
    await expect(stale).rejects.toMatchObject({ code: "lease_lost" });
    await store().append({ sessionId, generation, events: eventsFrom(2, 2) });
    await arrived(hints, { type: "events", sessionId, head: 2, isRecordChanged: false });
    expect(hints).not.toContainEqual(expect.objectContaining({ sessionId, head: 9 }));
  });

  test.runIf(capabilities.shared)("others that have the store open learn of it too", async () => {
    const place = await createPlace();
    const [first, second] = [await place.open(), await place.open()];
    try {
      expect(await hintsOfAll(first, collect(second))).toBeGreaterThan(9);
      expect(await hintsOfAll(second, collect(first))).toBeGreaterThan(9);
    } finally {
      await Promise.all([first.close(), second.close()]);
      await place.remove();
    }
  });
}
