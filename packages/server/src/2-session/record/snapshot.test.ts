import { setImmediate } from "node:timers/promises";
import {
  draft,
  type EventDraft,
  foldAll,
  initialState,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMemoryStore, type Store } from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { Retention } from "./retention.ts";
import { SnapshotFolder } from "./snapshot.ts";
import { LEASE_MS, recordOf } from "../../../../log/src/test-support/session.ts";

/** A store whose reads give way to other work and hold few events, as a byte budget may cut them. */
function slowStore(store: Store): Store {
  return interceptStore(store, {
    async read(sessionId, after, limit) {
      await setImmediate();
      return store.read(sessionId, after, Math.min(limit, 3));
    },
    async readBase(sessionId) {
      const base = await store.readBase(sessionId);
      await setImmediate();
      return base;
    },
  });
}

async function openSnapshots(options: { retainEvents: number; ringSize: number }) {
  const store = slowStore(createMemoryStore());
  const lease = await store.createSession(recordOf("s1"), "test", LEASE_MS);
  const clock = new ManualClock();
  const log = new EventLog({ store, lease, clock, ringSize: options.ringSize });
  const snapshots = new SnapshotFolder(log, clock);
  const errors: unknown[] = [];
  const retention = new Retention({
    log,
    store,
    lease,
    snapshots,
    retainEvents: options.retainEvents,
    onError: (error) => errors.push(error),
  });
  const live: SessionEvent[] = [];
  log.subscribe({
    onEvents: (events) => live.push(...events.map((event): SessionEvent => JSON.parse(event.json))),
    onEnd: () => undefined,
  });
  /** Holds a snapshot against the fold of what was published up to it. */
  const expectWhole = (state: SessionState): void => {
    expect(state).toEqual(foldAll(initialState(), live.slice(0, state.seq)));
  };
  return { log, store, snapshots, retention, errors, expectWhole };
}

function message(id: string): EventDraft {
  const content = [{ type: "text" as const, text: `message ${id}` }];
  return draft("user_message", { message_id: id, content, delivery: "queue" });
}

describe("a snapshot", () => {
  test("taken again after retention has trimmed beyond the last one is whole", async () => {
    const { log, store, snapshots, retention, expectWhole } = await openSnapshots({
      retainEvents: 4,
      ringSize: 2,
    });
    await log.append([message("a"), message("b")]).committed;
    expectWhole(await snapshots.current());
    await log.append(["c", "d", "e", "f", "g", "h"].map(message)).committed;
    retention.check();
    await expect.poll(() => store.readBase("s1")).toMatchObject({ seq: 4 });
    const state = await snapshots.current();
    expect(state.seq).toBe(8);
    expectWhole(state);
  });

  test("equals the fold of the live stream at any moment, with trims in between", async () => {
    const step = fc.oneof(
      fc.record({ type: fc.constant("append" as const), count: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ type: fc.constant("snapshot" as const) }),
      fc.record({ type: fc.constant("trim" as const) }),
      fc.record({ type: fc.constant("pause" as const), ticks: fc.integer({ min: 1, max: 6 }) }),
    );
    const plan = fc.record({
      steps: fc.array(step, { minLength: 5, maxLength: 40 }),
      retainEvents: fc.integer({ min: 1, max: 12 }),
      ringSize: fc.integer({ min: 1, max: 12 }),
    });
    await fc.assert(
      fc.asyncProperty(plan, async ({ steps, ...sizes }) => {
        const { log, snapshots, retention, errors, expectWhole } = await openSnapshots(sizes);
        const taken: Promise<SessionState>[] = [];
        for (const next of steps) {
          if (next.type === "append") {
            const drafts = Array.from({ length: next.count }, (_, index) =>
              message(`${log.head}-${index}`),
            );
            await log.append(drafts).committed;
          } else if (next.type === "snapshot") taken.push(snapshots.current());
          else if (next.type === "trim") retention.check();
          else for (let tick = 0; tick < next.ticks; tick += 1) await setImmediate();
        }
        const { head } = log;
        await Promise.all(taken);
        taken.push(snapshots.current());
        const states = await Promise.all(taken);
        for (const state of states) expectWhole(state);
        expect(states.at(-1)?.seq).toBe(head);
        expect(errors).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
