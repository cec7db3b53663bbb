import { describe, expect, test } from "vitest";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import type { AuthRequest } from "./auth.ts";
import {
  codeOf,
  startServer,
  testToken,
  type RunningServer,
} from "../test-support/running-server.ts";
import { openSocket } from "../test-support/socket-client.ts";

/** Every closed route of the table, as requests on a session. */
function everyRoute({ server }: RunningServer, sessionId: string) {
  return server.table.routes
    .filter((route) => route.access !== "open")
    .map(({ method, path: template, access }) => {
      const path = template.replace("{session_id}", sessionId).replace("{interrupt_id}", "i");
      const takesBody = method === "POST" || method === "PATCH";
      return { access, path, init: { method, body: takesBody ? "{}" : null } };
    });
}

const json = { "content-type": "application/json" };

describe("without the right credential", () => {
  test.each([
    ["no token", {}],
    ["a wrong token", { authorization: `Bearer ${testToken}x` }],
    ["an empty token", { authorization: "Bearer " }],
    ["another scheme", { authorization: `Basic ${testToken}` }],
    ["the token without scheme", { authorization: testToken }],
    ["a token in the wrong header", { "x-api-key": testToken }],
    ["a made-up cookie", { cookie: `turnwire=${testToken}; turnwire_00000000=9999999999999.0.0` }],
  ])("every route is 401 with %s, and nothing happens", async (_name, headers) => {
    const running = await startServer({ authFailuresPerMinute: 1_000 });
    const id = await running.createSession();
    const routes = everyRoute(running, id);
    expect(routes.length).toBeGreaterThan(20);
    for (const { path, init } of routes) {
      const answer = await fetch(`${running.url}${path}`, {
        ...init,
        headers: { ...json, ...(headers as Record<string, string>) },
      });
      expect(`${init.method} ${path} ${answer.status}`).toBe(`${init.method} ${path} 401`);
      expect(answer.headers.get("www-authenticate")).toContain("Bearer");
      const text = await answer.text();
      expect(text).toContain('"code":"unauthorized"');
      expect(text).not.toContain(testToken);
    }
    const session = await running.session(id);
    expect(session.log.head).toBe(1);
  });

  test("a token in the address is not a credential", async () => {
    const { url } = await startServer();
    const answer = await fetch(`${url}/sessions?token=${testToken}&access_token=${testToken}`);
    expect(answer.status).toBe(401);
  });

  test("unknown paths and methods are 401 too: strangers learn nothing", async () => {
    const { url } = await startServer();
    expect((await fetch(`${url}/none`)).status).toBe(401);
    expect((await fetch(`${url}/sessions`, { method: "PUT" })).status).toBe(401);
    expect((await fetch(`${url}/sessions`, { method: "OPTIONS" })).status).toBe(401);
  });

  test("health and the pages are open", async () => {
    const { url } = await startServer();
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect((await fetch(`${url}/`)).status).toBe(200);
  });
});

describe("the bearer token", () => {
  test("lets in, whatever the case of the scheme", async () => {
    const { url } = await startServer();
    for (const scheme of ["Bearer", "bearer", "BEARER"]) {
      const answer = await fetch(`${url}/sessions`, {
        headers: { authorization: `${scheme} ${testToken}` },
      });
      expect(answer.status).toBe(200);
    }
  });

  test("a short token refuses to start", async () => {
    const short = { type: "token", token: "hunter2" } as const;
    await expect(startServer({ auth: short })).rejects.toMatchObject({ code: "token_weak" });
  });

  test("ten failures a minute are 401, more are 429, and the owner is never locked out", async () => {
    const clock = new ManualClock();
    const { request, metric } = await startServer({ clock });
    const guess = () => request("/sessions", { headers: { authorization: "Bearer wrong" } });
    for (let count = 0; count < 10; count++) expect((await guess()).status).toBe(401);
    const limited = await guess();
    expect(limited.status).toBe(429);
    expect(limited.headers.get("retry-after")).toBe("60");
    expect(await codeOf(limited)).toBe("rate_limited");
    expect((await request("/sessions")).status).toBe(200);
    await clock.advance(60_000);
    expect((await guess()).status).toBe(401);
    expect(await metric("turnwire_auth_failures_total")).toBe(12);
  });

  test("a missing credential is not a failure", async () => {
    const { url } = await startServer();
    for (let count = 0; count < 15; count++) {
      expect((await fetch(`${url}/sessions`)).status).toBe(401);
    }
  });
});

describe("auth that is off", () => {
  test("lets everybody in as the owner of the machine, on loopback", async () => {
    const { url, session, createSession } = await startServer({ auth: { type: "off" } });
    expect((await fetch(`${url}/sessions`)).status).toBe(200);
    expect((await session(await createSession())).owner).toBe("local");
  });

  test("still turns away foreign pages and names", async () => {
    const { url } = await startServer({ auth: { type: "off" } });
    const answer = await fetch(`${url}/sessions`, { headers: { origin: "https://evil.example" } });
    expect(answer.status).toBe(403);
  });
});

describe("an embedder's own auth", () => {
  const people: Record<string, { id: string; isAdmin: boolean }> = {
    "token-of-a": { id: "a", isAdmin: false },
    "token-of-b": { id: "b", isAdmin: false },
    "token-of-root": { id: "root", isAdmin: true },
  };
  const authorize = ({ bearer = "" }: AuthRequest) => people[bearer] ?? null;
  const as = (person: string) => ({ headers: { authorization: `Bearer token-of-${person}` } });

  test("a session of somebody else is like none at all, on every route", async () => {
    const running = await startServer({ auth: { type: "authorize", authorize } });
    const created = await running.request("/sessions", {
      ...as("a"),
      json: { session_id: "of-a" },
    });
    expect(created.status).toBe(201);
    const routes = everyRoute(running, "of-a").filter(({ path }) => path.includes("of-a"));
    expect(routes.length).toBeGreaterThan(15);
    for (const { path, init } of routes) {
      const headers = { ...json, ...as("b").headers };
      const foreign = await fetch(`${running.url}${path}`, { ...init, headers });
      const missing = await fetch(`${running.url}${path.replace("of-a", "none")}`, {
        ...init,
        headers,
      });
      expect(`${init.method} ${path} ${foreign.status}`).toBe(`${init.method} ${path} 404`);
      expect((await foreign.text()).replaceAll("of-a", "none")).toBe(await missing.text());
    }
    expect((await running.request("/sessions/of-a", as("a"))).status).toBe(200);
    expect((await running.request("/sessions/of-a", as("root"))).status).toBe(200);
  });

  test("lists show each their own, and admins all", async () => {
    const { request } = await startServer({ auth: { type: "authorize", authorize } });
    await request("/sessions", { ...as("a"), json: {} });
    await request("/sessions", { ...as("b"), json: {} });
    const count = async (person: string): Promise<number> => {
      const answer = (await (await request("/sessions", as(person))).json()) as {
        sessions: unknown[];
      };
      return answer.sessions.length;
    };
    expect([await count("a"), await count("b"), await count("root")]).toEqual([1, 1, 2]);
  });

  test("every route for admins is 403 for others, and no other route is", async () => {
    const running = await startServer({ auth: { type: "authorize", authorize } });
    await running.request("/sessions", { ...as("a"), json: { session_id: "of-a" } });
    const routes = everyRoute(running, "of-a").filter(({ init }) => init.method !== "DELETE");
    expect(routes.filter(({ access }) => access === "admin").length).toBeGreaterThan(3);
    for (const { access, path, init } of routes) {
      const url = `${running.url}${path}`;
      const abort = new AbortController();
      const headers = { ...json, ...as("a").headers };
      const answer = await fetch(url, { ...init, headers, signal: abort.signal });
      expect([path, answer.status === 403]).toEqual([path, access === "admin"]);
      abort.abort();
    }
    expect((await running.request("/metrics", as("root"))).status).toBe(200);
  });

  test("a hook that throws lets no one in and reveals nothing", async () => {
    const broken = () => {
      throw new Error("secret of the database");
    };
    const { request, errors } = await startServer({
      auth: { type: "authorize", authorize: broken },
    });
    const answer = await request("/sessions");
    expect(answer.status).toBe(500);
    const text = await answer.text();
    expect(text).toContain('"code":"internal"');
    expect(text).not.toContain("secret");
    expect(errors).toHaveLength(1);
  });

  test("wrong tokens lock out only themselves: the hook is asked first", async () => {
    const { request, url } = await startServer({ auth: { type: "authorize", authorize } });
    const created = await request("/sessions", { ...as("a"), json: {} });
    const { session_id: id } = (await created.json()) as { session_id: string };
    expect(created.status).toBe(201);
    const client = await openSocket(`${url}/sessions/${id}/ws`, as("a"));
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 12; attempt++) {
      statuses.push((await request("/sessions", as("unknown"))).status);
    }
    expect(statuses.slice(9)).toEqual([401, 429, 429]);
    expect((await request("/sessions", as("a"))).status).toBe(200);
    client.send({ id: 1, command: { type: "rename", title: "still here" } });
    await client.until(() => client.messages.some(({ type }) => type === "ack"));
    expect(client.websocket.readyState).toBe(client.websocket.OPEN);
  });

  test("failures are counted by the address that the embedder names", async () => {
    const addresses: string[] = [];
    const { request } = await startServer({
      auth: {
        type: "authorize",
        authorize: ({ address }) => {
          addresses.push(address);
          return null;
        },
      },
      clientAddress: ({ headers }) => String(headers["x-real-ip"]),
    });
    const guessFrom = async (address: string) =>
      (await request("/sessions", { headers: { "x-real-ip": address } })).status;
    for (let attempt = 0; attempt < 10; attempt++) await guessFrom("192.0.2.1");
    expect(await guessFrom("192.0.2.1")).toBe(429);
    expect(await guessFrom("192.0.2.2")).toBe(401);
    expect(addresses.at(-1)).toBe("192.0.2.2");
  });

  test("a credential that a browser adds by itself needs a page of ours to change anything", async () => {
    const byCookie = ({ headers }: AuthRequest) =>
      headers.cookie === "session=a" ? { id: "a", isAdmin: false } : null;
    const { url } = await startServer({ auth: { type: "authorize", authorize: byCookie } });
    const post = (headers: Record<string, string>) =>
      fetch(`${url}/sessions`, { method: "POST", headers: { cookie: "session=a", ...headers } });
    expect((await post({})).status).toBe(403);
    expect((await post({ origin: url })).status).toBe(201);
  });

  test("there are no login links", async () => {
    const { server } = await startServer({ auth: { type: "authorize", authorize } });
    await expect(server.loginUrl()).rejects.toThrow("login links need auth by token");
  });
});
