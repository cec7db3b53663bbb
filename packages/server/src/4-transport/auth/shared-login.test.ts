import { createMemoryStore, type SharedValues, type Store, StoreError } from "@turnwire/log";
import { LoginList, type LoginInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import { logInBrowser, type TestBrowser } from "../test-support/browser-login.ts";
import {
  codeOf,
  metricIs,
  startServer,
  testToken,
  type RunningServer,
  type StartOptions,
} from "../test-support/running-server.ts";
import { openSocket } from "../test-support/socket-client.ts";
import { readSse } from "../test-support/sse-reader.ts";

/** Two servers of different hosts over one store. */
async function startTwo(options: StartOptions = {}, store = createMemoryStore({ isShared: true })) {
  const start = () => startServer({ ...options, hostOptions: { ...options.hostOptions, store } });
  return { store, a: await start(), b: await start() };
}

/** What the browser would send to another host: the cookie's name has the port, because a browser sends it to all ports. */
function headersAt({ url, port }: RunningServer, { headers, cookie }: TestBrowser) {
  return { ...headers, cookie: cookie.replace(/_\d+=/, `_${port}=`), origin: url };
}

async function statusAt(server: RunningServer, browser: TestBrowser): Promise<number> {
  const headers = headersAt(server, browser);
  return (await fetch(`${server.url}/sessions`, { headers })).status;
}

async function listed({ request }: RunningServer): Promise<LoginInfo[]> {
  return LoginList.parse(await (await request("/logins")).json()).logins;
}

function createSignal(): { readonly happened: Promise<void>; readonly resolve: () => void } {
  let resolve: () => void = () => undefined;
  const happened = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { happened, resolve };
}

/** A store whose shared values a test has changed. */
function storeWith(change: (values: SharedValues) => Partial<SharedValues>): Store {
  const store = createMemoryStore({ isShared: true });
  const { values } = store;
  const changed = change(values);
  const members: SharedValues = {
    readValue: (key) => values.readValue(key),
    listValues: (prefix) => values.listValues(prefix),
    writeValue: (key, value, options) => values.writeValue(key, value, options),
    takeValue: (key) => values.takeValue(key),
    count: (key, windowMs, by) => values.count(key, windowMs, by),
    takeSlot: (pool, slot, limit) => values.takeSlot(pool, slot, limit),
    releaseSlot: (pool, id) => values.releaseSlot(pool, id),
    ...changed,
  };
  return interceptStore(store, { values: members });
}

/** A store whose values fail while `isAway` says so. */
function failingStore(isAway: () => boolean): Store {
  const go = <Value>(act: () => Promise<Value>): Promise<Value> =>
    isAway() ? Promise.reject(new StoreError("unavailable", "the database is away")) : act();
  return storeWith((values) => ({
    readValue: (key) => go(() => values.readValue(key)),
    listValues: (prefix) => go(() => values.listValues(prefix)),
    writeValue: (key, value, options) => go(() => values.writeValue(key, value, options)),
    takeValue: (key) => go(() => values.takeValue(key)),
    count: (key, windowMs, by) => go(() => values.count(key, windowMs, by)),
    takeSlot: (pool, slot, limit) => go(() => values.takeSlot(pool, slot, limit)),
    releaseSlot: (pool, id) => go(() => values.releaseSlot(pool, id)),
  }));
}

describe("a login link", () => {
  test("works once, whichever host it is opened on", async () => {
    const { a, b } = await startTwo();
    const path = new URL(await a.server.loginUrl()).pathname;
    expect((await fetch(`${b.url}${path}`)).status).toBe(200);
    const answers = await Promise.all(
      [a, b, a, b].map(({ url }) => fetch(`${url}${path}`, { method: "POST" })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200, 401, 401, 401,
    ]);
    expect((await fetch(`${a.url}${path}`)).status).toBe(401);
    expect(await listed(a)).toHaveLength(1);
  });

  test("works for ten minutes by the store's clock", async () => {
    const clock = new ManualClock();
    const { a, b } = await startTwo({}, createMemoryStore({ isShared: true, clock }));
    const [early, late] = [await a.server.loginUrl(), await a.server.loginUrl()];
    const redeem = (link: string) => fetch(link.replace(a.url, b.url), { method: "POST" });
    clock.step(599_000);
    expect((await redeem(early)).status).toBe(200);
    clock.step(1_000);
    expect((await redeem(late)).status).toBe(401);
  });

  test("is worth nothing on a host with another token", async () => {
    const store = createMemoryStore({ isShared: true });
    const a = await startServer({ hostOptions: { store } });
    const auth = { type: "token", token: `${testToken}-another` } as const;
    const b = await startServer({ auth, hostOptions: { store } });
    const link = await a.server.loginUrl();
    expect((await fetch(link.replace(a.url, b.url), { method: "POST" })).status).toBe(401);
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
  });

  test("beyond a hundred pushes out the oldest", async () => {
    const clock = new ManualClock();
    const { a, b } = await startTwo({ clock });
    const oldest = await a.server.loginUrl();
    clock.step(1);
    const second = await a.server.loginUrl();
    for (let count = 0; count < 99; count++) {
      clock.step(1);
      await b.server.loginUrl();
    }
    expect((await fetch(oldest)).status).toBe(401);
    expect((await fetch(second)).status).toBe(200);
  });
});

describe("a log-in", () => {
  test("that is made on one host works on the others at once, and is listed by all", async () => {
    const { a, b } = await startTwo();
    const browser = await logInBrowser(a);
    expect(await statusAt(b, browser)).toBe(200);
    expect(await listed(b)).toEqual(await listed(a));
    expect(
      await statusAt(b, { ...browser, headers: { ...browser.headers, "turnwire-page-key": "x" } }),
    ).toBe(401);
  });

  test("that is revoked on one host is out on the others at once, its streams too, and only its own", async () => {
    // Rights are not checked again meanwhile: only the revocation can end the streams.
    const { a, b } = await startTwo({ rightsCheckMs: 3_600_000 });
    const [one, two] = [await logInBrowser(a), await logInBrowser(a)];
    const open = async (browser: TestBrowser) => {
      const headers = headersAt(b, browser);
      const watch = await readSse(`${b.url}/watch`, headers);
      const socket = await openSocket(`${b.url}/watch/ws`, {
        headers: { cookie: headers.cookie, origin: b.url },
        protocols: ["turnwire", `page-key.${browser.pageKey}`],
      });
      return { watch, socket };
    };
    const [first, second] = [await open(one), await open(two)];
    await metricIs(b, "turnwire_subscribers", 4);
    const own = LoginList.parse(
      await (await fetch(`${a.url}/logins`, { headers: one.headers })).json(),
    ).logins.find(({ is_current }) => is_current);
    const revoked = await a.request(`/logins/${own?.login_id}`, { method: "DELETE" });
    expect(revoked.status).toBe(204);
    expect(await statusAt(b, one)).toBe(401);
    await first.watch.ended;
    expect(await first.socket.closed).toEqual({ code: 4401, reason: "unauthorized" });
    await metricIs(b, "turnwire_subscribers", 2);
    expect(await statusAt(b, two)).toBe(200);
    expect(second.socket.websocket.readyState).toBe(second.socket.websocket.OPEN);
    second.watch.close();
    expect((await b.request(`/logins/${own?.login_id}`, { method: "DELETE" })).status).toBe(404);
  });

  test("stays out when another host revokes it while its use is written", async () => {
    const clock = new ManualClock();
    const use = { isAwaited: false, ...createSignal() };
    const revocation = createSignal();
    const written = createSignal();
    const store = storeWith((values) => ({
      writeValue: async (key, value, options) => {
        const isUse = use.isAwaited && key.startsWith("login/");
        if (!isUse) return values.writeValue(key, value, options);
        use.resolve();
        await revocation.happened;
        return values.writeValue(key, value, options).finally(written.resolve);
      },
    }));
    const { a, b } = await startTwo({ clock }, store);
    const browser = await logInBrowser(a);
    // Long enough that its next use is written.
    clock.step(600_000);
    const [login] = await listed(a);
    use.isAwaited = true;
    expect(await statusAt(b, browser)).toBe(200);
    await use.happened;
    const revoked = await a.request(`/logins/${login?.login_id}`, { method: "DELETE" });
    expect(revoked.status).toBe(204);
    revocation.resolve();
    await written.happened;
    expect(await statusAt(b, browser)).toBe(401);
    expect(await listed(b)).toEqual([]);
  });

  test("lives on while any host is used", async () => {
    const clock = new ManualClock();
    const { a, b } = await startTwo({ clock }, createMemoryStore({ isShared: true, clock }));
    const browser = await logInBrowser(a);
    const day = 24 * 3_600_000;
    for (const server of [b, b, a]) {
      clock.step(6 * day);
      expect(await statusAt(server, browser)).toBe(200);
    }
    clock.step(8 * day);
    expect(await statusAt(b, browser)).toBe(401);
    expect(await listed(a)).toEqual([]);
  });

  test("is renamed and ended by any host", async () => {
    const { a, b } = await startTwo();
    const browser = await logInBrowser(a);
    const [login] = await listed(a);
    const renamed = await b.request(`/logins/${login?.login_id}`, {
      method: "PATCH",
      json: { name: "Desk" },
    });
    expect(await renamed.json()).toMatchObject({ name: "Desk" });
    expect((await listed(a))[0]?.name).toBe("Desk");
    const headers = headersAt(b, browser);
    expect((await fetch(`${b.url}/logout`, { method: "POST", headers })).status).toBe(204);
    expect(await statusAt(a, browser)).toBe(401);
  });

  test("outlives the host that made it", async () => {
    const { a, b } = await startTwo();
    const browser = await logInBrowser(a);
    await a.server.close();
    expect(await statusAt(b, browser)).toBe(200);
  });

  test("that makes no sense in the store lets no one in, and keeps no one else out", async () => {
    const { store, a, b } = await startTwo();
    const browser = await logInBrowser(a);
    const [[key] = [""]] = await store.values.listValues("login/");
    await store.values.writeValue(key, "{half");
    expect(await statusAt(b, browser)).toBe(401);
    expect(await listed(b)).toEqual([]);
    expect(await statusAt(b, await logInBrowser(b))).toBe(200);
  });
});

describe("failed log-ins", () => {
  test("count on all hosts together", async () => {
    const { a, b } = await startTwo({ authFailuresPerMinute: 4 });
    const wrong = { headers: { authorization: "Bearer wrong" } };
    const statuses: number[] = [];
    for (const { request } of [a, b, a, b, a, b]) {
      statuses.push((await request("/sessions", wrong)).status);
    }
    expect(statuses).toEqual([401, 401, 401, 401, 429, 429]);
    const last = await a.request("/sessions", wrong);
    expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await b.request("/sessions")).status).toBe(200);
  });

  test("of one address cost the store no more than it may fail", async () => {
    const store = createMemoryStore({ isShared: true });
    let counted = 0;
    const count = store.values.count.bind(store.values);
    store.values.count = (...call) => {
      counted += 1;
      return count(...call);
    };
    const { a } = await startTwo({ authFailuresPerMinute: 3 }, store);
    const wrong = { headers: { authorization: "Bearer wrong" } };
    for (let tries = 0; tries < 20; tries++) await a.request("/sessions", wrong);
    expect(counted).toBe(3);
  });
});

describe("while the store is away", () => {
  test("a browser is not let in by what was true before, a token is, and guesses stay limited", async () => {
    let isAway = false;
    const { a, b } = await startTwo(
      { authFailuresPerMinute: 2 },
      failingStore(() => isAway),
    );
    const browser = await logInBrowser(a);
    const link = await a.server.loginUrl();
    isAway = true;
    const refused = await fetch(`${b.url}/sessions`, { headers: headersAt(b, browser) });
    expect(refused.status).toBe(503);
    expect(await codeOf(refused)).toBe("store_unavailable");
    expect((await fetch(link, { method: "POST" })).status).toBe(503);
    expect((await a.request("/login", { json: {} })).status).toBe(503);
    expect((await a.request("/logins", { method: "DELETE" })).status).toBe(503);
    expect((await a.request("/sessions")).status).toBe(200);
    const wrong = { headers: { authorization: "Bearer wrong" } };
    const statuses: number[] = [];
    for (let tries = 0; tries < 3; tries++) {
      statuses.push((await a.request("/sessions", wrong)).status);
    }
    expect(statuses).toEqual([401, 401, 429]);
    isAway = false;
    expect(await statusAt(b, browser)).toBe(200);
    expect((await fetch(link, { method: "POST" })).status).toBe(200);
  });
});
