import { describe, expect, test } from "vitest";
import { eventsFrom, LEASE_MS } from "../../../test-support/session.ts";
import { startChild } from "./child.ts";
import { openForTest, temporaryPath } from "./temporary-store.ts";

const appendForever = new URL("append-forever.ts", import.meta.url);
const acquire = (sessionId: string) => ({ sessionId, holder: "test", ttlMs: LEASE_MS });

/** Lets a child append until `count` acks were seen, kills it, and answers with the newest acks. */
async function appendAndKill(path: string, count: number): Promise<Map<string, number>> {
  const child = await startChild(appendForever, path);
  const acked = new Map<string, number>();
  let seen = 0;
  for await (const line of child.lines) {
    const [sessionId = "", seq] = line.split(" ");
    acked.set(sessionId, Number(seq));
    seen += 1;
    if (seen === count) child.process.kill("SIGKILL");
  }
  expect(await child.ended).toBe("SIGKILL");
  return acked;
}

/** Kills a process again and again on one file, each time after so many acks. */
export function testKilledAppender(counts: readonly number[]): void {
  describe("a process that is killed while it appends", () => {
    test("loses nothing that was acked, leaves no gap and no half batch", async () => {
      const path = await temporaryPath();
      for (const count of counts) {
        const acked = await appendAndKill(path, count);
        const store = await openForTest(path);
        for (const [sessionId, last] of acked) {
          const lease = await store.acquireLease(acquire(sessionId));
          const events = await store.read(sessionId, 0, 1_000_000);
          expect(events.length).toBeGreaterThanOrEqual(last);
          expect(events).toStrictEqual(eventsFrom(1, events.length));
          const head = events.length;
          expect(lease?.record).toMatchObject({ head, title: `at ${head}`, epoch: "first" });
          expect(await store.findInput(sessionId, `input ${last}`)).toMatchObject({ seq: last });
          expect(await store.findInput(sessionId, `input ${head}`)).toMatchObject({ seq: head });
        }
        await store.close();
      }
    });
  });
}
