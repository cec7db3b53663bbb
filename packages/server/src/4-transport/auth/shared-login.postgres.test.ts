import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgresStore } from "@turnwire/log/postgres";
import { LoginList } from "@turnwire/protocol";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "../../../../../test/support/database.ts";
import { logInBrowser } from "../test-support/browser-login.ts";
import { metricIs, startServer } from "../test-support/running-server.ts";
import { readSse } from "../test-support/sse-reader.ts";
import { loadSharedToken } from "./token.ts";

/** A database, and what opens it once more as another host would; all is closed when the test ends. */
async function openDatabase() {
  const database = await newDatabase();
  onTestFinished(() => database.remove());
  return async () => {
    const store = await openPostgresStore({ url: database.url });
    onTestFinished(() => store.close());
    return store;
  };
}

test("hosts over one Postgres share login links, log-ins, their end, and failures", async () => {
  const open = await openDatabase();
  const options = { authFailuresPerMinute: 3 };
  const a = await startServer({ ...options, hostOptions: { store: await open() } });
  const b = await startServer({ ...options, hostOptions: { store: await open() } });

  const path = new URL(await a.server.loginUrl()).pathname;
  const redeemed = await Promise.all(
    [a, b, a, b].map(({ url }) => fetch(`${url}${path}`, { method: "POST" })),
  );
  expect(redeemed.filter(({ status }) => status === 200)).toHaveLength(1);

  const browser = await logInBrowser(a);
  const cookie = browser.cookie.replace(/_\d+=/, `_${b.port}=`);
  const headers = { ...browser.headers, cookie, origin: b.url };
  const stream = await readSse(`${b.url}/watch`, headers);
  await metricIs(b, "turnwire_subscribers", 1);
  const own = LoginList.parse(
    await (await fetch(`${a.url}/logins`, { headers: browser.headers })).json(),
  ).logins.find(({ is_current }) => is_current);
  expect((await a.request(`/logins/${own?.login_id}`, { method: "DELETE" })).status).toBe(204);
  expect((await fetch(`${b.url}/sessions`, { headers })).status).toBe(401);
  await stream.ended;

  const wrong = { headers: { authorization: "Bearer wrong" } };
  const guesses = await Promise.all(
    [a, b, a, b, a, b, a, b].map(({ request }) => request("/sessions", wrong)),
  );
  // Each by itself would let three pass.
  expect(guesses.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(3);
  expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(5);
  expect((await b.request("/sessions")).status).toBe(200);
});

test("hosts that start at once over one Postgres have one token", async () => {
  const open = await openDatabase();
  const stores = await Promise.all([open(), open(), open()]);
  const tokens = await Promise.all(
    stores.map(async ({ values }) => {
      const directory = await mkdtemp(join(tmpdir(), "turnwire-token-"));
      onTestFinished(() => rm(directory, { recursive: true, force: true }));
      return loadSharedToken(values, directory);
    }),
  );
  expect(new Set(tokens).size).toBe(1);
});
