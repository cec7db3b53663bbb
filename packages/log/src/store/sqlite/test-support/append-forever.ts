/** Appends to the sessions "one" and "two" until it is killed, printing `<session> <seq>` for each ack. */
import { writeSync } from "node:fs";
import { openSqliteStore } from "../sqlite-store.ts";
import { eventsFrom, LEASE_MS, recordOf } from "../../../test-support/session.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path });

async function appendForever(sessionId: string, batchSize: number): Promise<never> {
  const request = { sessionId, holder: String(process.pid), ttlMs: LEASE_MS };
  const lease =
    (await store.acquireLease(request)) ??
    (await store.createSession(recordOf(sessionId), request.holder, request.ttlMs));
  const { generation, record } = lease;
  for (let head = record.head; ; head += batchSize) {
    const last = head + batchSize;
    const inputs = [{ clientMessageId: `input ${last}`, seq: last, digest: "d" }];
    const events = eventsFrom(head + 1, last);
    await store.append({ sessionId, generation, events, inputs, patch: { title: `at ${last}` } });
    writeSync(1, `${sessionId} ${last}\n`);
  }
}

await Promise.all([appendForever("one", 1), appendForever("two", 7)]);
