import { expect, onTestFinished, test } from "vitest";
import { newDatabase, query } from "../../../../../test/support/database.ts";
import type { StoreHint } from "../../store-hint.ts";
import { eventsFrom, recordOf } from "../../test-support/session.ts";
import { openPostgresStore } from "./open-postgres-store.ts";
import { startHoldingProxy } from "./test-support/holding-proxy.ts";

test("what one host does the others hear of, once, after it can be read", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const [host, other] = await Promise.all([
    openPostgresStore({ url: database.url }),
    openPostgresStore({ url: database.url }),
  ]);
  onTestFinished(() => Promise.all([host.close(), other.close()]).then(() => undefined));
  const heard: StoreHint[] = [];
  const own: StoreHint[] = [];
  host.watch((hint) => own.push(hint));
  let read = Promise.resolve(0);
  other.watch((hint) => {
    heard.push(hint);
    if (hint.type === "events") read = other.read("one", 0, 100).then((events) => events.length);
  });
  const { generation } = await host.createSession(recordOf("one"), "a", 60_000);
  await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      host.append({ sessionId: "one", generation, events: eventsFrom(index + 1, index + 1) }),
    ),
  );
  await host.releaseLease("one", generation);
  await expect.poll(() => heard.at(-1)?.type).toBe("released");
  const newest = heard.findLast((hint) => hint.type === "events");
  expect(newest).toMatchObject({ sessionId: "one", head: 20 });
  expect(await read).toBe(20);
  expect(heard[0]).toStrictEqual({ type: "created", sessionId: "one" });
  // Never back to the host that did it.
  expect(own.filter(({ type }) => type === "created")).toHaveLength(1);
  expect(own.filter(({ type }) => type === "released")).toHaveLength(1);
});

test("what others put into the channel is ignored where it is not a hint", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const store = await openPostgresStore({ url: database.url });
  onTestFinished(() => store.close());
  const heard: StoreHint[] = [];
  store.watch((hint) => heard.push(hint));
  const foreign = [
    null,
    1,
    [],
    {},
    { from: "x" },
    { from: "x", hints: [null, 1, { type: "new" }] },
  ];
  const partial = [{ type: "events", sessionId: "s", head: "1" }, { type: "value" }];
  const last = { type: "released", sessionId: "s" };
  const payloads = [...foreign, { from: "x", hints: [...partial, last] }].map((message) =>
    JSON.stringify(message),
  );
  for (const payload of ["", "no JSON", ...payloads]) {
    await query(database.url, `SELECT pg_notify('turnwire', '${payload}')`);
  }
  await expect.poll(() => heard).toEqual([last]);
});

test("a store that is closed while it reconnects leaves no connection behind", async () => {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  const proxy = await startHoldingProxy(database.url);
  onTestFinished(() => proxy.close());
  const store = await openPostgresStore({ url: proxy.url });
  await proxy.hold();
  const closed = store.close();
  proxy.letThrough();
  await closed;
  await expect.poll(() => proxy.connections()).toBe(0);
});
