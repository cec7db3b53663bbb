import { initialState, type SessionState } from "@turnwire/protocol";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { eventsFrom, LEASE_MS, recordOf } from "../../test-support/session.ts";
import { openForTest, temporaryPath } from "./test-support/temporary-store.ts";

/** Sizes on both sides of where rows begin to hold many events, and of where they are full. */
const batchSize = fc.constantFrom(1, 2, 15, 16, 17, 127, 128, 129, 300);
const share = fc.double({ min: 0, max: 1, noNaN: true });

const plan = fc.record({
  batches: fc.array(batchSize, { minLength: 1, maxLength: 6 }),
  trimmed: share,
  reads: fc.array(fc.record({ after: share, limit: fc.integer({ min: 1, max: 700 }) }), {
    minLength: 5,
    maxLength: 5,
  }),
});

describe("a log of large and small batches", () => {
  test("is read from any position to any limit as it was written, before and after a trim", async () => {
    const store = await openForTest(await temporaryPath(), "fast");
    let sessions = 0;
    await fc.assert(
      fc.asyncProperty(plan, async ({ batches, trimmed, reads }) => {
        const sessionId = `session ${(sessions += 1)}`;
        const { generation } = await store.createSession(recordOf(sessionId), "test", LEASE_MS);
        let head = 0;
        for (const size of batches) {
          await store.append({ sessionId, generation, events: eventsFrom(head + 1, head + size) });
          head += size;
        }
        const expectReads = async (oldest: number) => {
          for (const { after, limit } of reads) {
            const position = Math.round(after * head);
            const first = Math.max(position + 1, oldest);
            const expected = eventsFrom(
              first,
              Math.max(first - 1, Math.min(first + limit - 1, head)),
            );
            expect(await store.read(sessionId, position, limit)).toStrictEqual(expected);
          }
        };
        await expectReads(1);
        const seq = Math.round(trimmed * head);
        await store.trim(sessionId, generation, { seq, state: { ...initialState(), seq } });
        await expectReads(seq + 1);
        const lease = await store.acquireLease({ sessionId, holder: "test", ttlMs: LEASE_MS });
        expect(lease?.record).toMatchObject({ head, trimmed: seq, epoch: "first" });
      }),
      { numRuns: 60 },
    );
  });
});

test("a base from a version that had fewer fields is complete when it is read", async () => {
  const store = await openForTest(await temporaryPath());
  const sessionId = "old";
  const { generation } = await store.createSession(recordOf(sessionId), "test", LEASE_MS);
  await store.append({ sessionId, generation, events: eventsFrom(1, 2) });
  const { shared_version: _newer, ...earlier } = { ...initialState(), seq: 1, shared: "kept" };
  await store.trim(sessionId, generation, { seq: 1, state: earlier as SessionState });
  expect((await store.readBase(sessionId))?.state).toEqual({ ...earlier, shared_version: 0 });
});
