/** Creates the session "one" and appends to it in the same transaction, printing `acked` after both. */
import { openSqliteStore } from "../sqlite-store.ts";
import { eventsFrom, LEASE_MS, recordOf } from "../../../test-support/session.ts";

const [path = ""] = process.argv.slice(2);
const store = await openSqliteStore({ path });
await Promise.all([
  store.createSession(recordOf("one"), "child", LEASE_MS),
  store.append({ sessionId: "one", generation: 1, events: eventsFrom(1, 3) }),
]);
process.stdout.write("acked\n");
await store.close();
