import { draft, type RuntimeInfo, SessionInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore, type Store } from "@turnwire/log";
import { demo } from "@turnwire/runtime/demo";
import { interceptStore } from "../../../../log/src/test-support/intercepted-store.ts";
import type { AuthOptions } from "../auth/auth.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";

describe("what the server reports about itself", () => {
  test("health answers with the version", async () => {
    const { url } = await startServer();
    const answer = await fetch(`${url}/health`);
    expect(await answer.json()).toEqual({ status: "ok", version: expect.stringMatching(/^\d+\./) });
  });

  test("health is 503 with the reason while the store cannot write, and 200 again after that", async () => {
    const memory = createMemoryStore();
    let reason: string | undefined = "no space left for the store: free some";
    const store: Store = interceptStore(memory, {
      health: async () => ({
        isWritable: reason === undefined,
        ...(reason !== undefined && { reason }),
        failedWrites: 3,
        restarts: 1,
      }),
    });
    const running = await startServer({ hostOptions: { store } });
    const { url, metric } = running;
    const ill = await fetch(`${url}/health`);
    expect(ill.status).toBe(503);
    expect(await ill.json()).toMatchObject({
      error: {
        code: "store_unavailable",
        message: "The store cannot write: no space left for the store: free some.",
        retryable: true,
      },
    });
    expect(await metric("turnwire_store_writable")).toBe(0);
    expect(await metric("turnwire_store_write_failures_total")).toBe(3);
    expect(await metric("turnwire_store_restarts_total")).toBe(1);
    reason = undefined;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(await metric("turnwire_store_writable")).toBe(1);
  });

  test("runtimes are listed with what they can do", async () => {
    const { request } = await startServer();
    const body = await (await request("/runtimes")).json();
    expect(body).toMatchObject({
      runtimes: [
        {
          name: "demo",
          is_default: true,
          is_available: true,
          connection: { status: "scripted" },
          capabilities: {
            interrupt: true,
            mode_info: { plan: { label: "Plan only", risk: "none" } },
            models: [{ id: "demo-1", is_default: true }, { id: "demo-1-mini" }],
          },
        },
        {
          name: "plain",
          is_default: false,
          connection: { status: "scripted" },
          capabilities: { interrupt: false },
        },
      ],
    });
  });

  test("a refresh answers at once and asks the agents in the meantime; only an admin can make one", async () => {
    const scripted = demo({ delayMs: 0 });
    let answer = (): void => undefined;
    const asked = new Promise<void>((resolve) => (answer = resolve));
    let probes = 0;
    let models = [{ id: "old" }];
    const runtime = {
      ...scripted,
      get capabilities() {
        return { ...scripted.capabilities, models };
      },
      probe: async () => {
        probes += 1;
        await asked;
        models = [{ id: "new" }];
      },
    };
    const auth: AuthOptions = {
      type: "authorize",
      authorize: ({ headers }) => ({
        id: "somebody",
        isAdmin: headers["x-admin"] === "yes",
      }),
    };
    const { request } = await startServer({ auth, hostOptions: { runtimes: [runtime] } });
    const list = async (path: string, headers: Record<string, string> = {}) => {
      const body = (await (await request(path, { headers })).json()) as { runtimes: RuntimeInfo[] };
      return body.runtimes[0];
    };
    expect(await list("/runtimes?refresh=true")).not.toHaveProperty("is_probing");
    expect(probes).toBe(0);
    const admin = { "x-admin": "yes" };
    const first = await list("/runtimes?refresh=true", admin);
    expect(first).toMatchObject({ is_probing: true, capabilities: { models: [{ id: "old" }] } });
    await list("/runtimes?refresh=true", admin);
    expect(probes).toBe(1);
    answer();
    await expect
      .poll(() => list("/runtimes"))
      .toMatchObject({ capabilities: { models: [{ id: "new" }] } });
    expect(await list("/runtimes")).not.toHaveProperty("is_probing");
    expect((await request("/runtimes?refresh=maybe")).status).toBe(400);
  });

  test("history is empty where no runtime has any", async () => {
    const { request } = await startServer();
    expect(await (await request("/history")).json()).toEqual({ sessions: [] });
  });

  test("a past session is listed, imported once named, and handed back by its line", async () => {
    const id = "past-1";
    const turn = { turn_id: "t1" };
    const ts = "2026-11-15T00:00:00.000Z";
    const content = [{ type: "text" as const, text: "long ago" }];
    const events = [
      draft("user_message", { message_id: "m1", content, delivery: "turn" }),
      draft("turn_started", { turn_id: "t1", message_id: "m1" }, turn),
      draft("done", turn, turn),
    ].map((event) => ({ ...event, ts }));
    const past = { provider_session_id: id, title: "Old", updated_at: ts, resume_command: "go on" };
    const history = {
      list: async () => [past],
      read: async (asked: string) => (asked === id ? events : undefined),
    };
    const runtime = { ...demo({ delayMs: 0 }), history, resumeCommand: () => "go on" };
    const { request } = await startServer({ hostOptions: { runtimes: [runtime] } });
    const listed = await (await request("/history")).json();
    expect(listed).toEqual({ sessions: [{ ...past, runtime: "demo" }] });

    const answer = await request(`/history/${id}/import`, { json: { runtime: "demo" } });
    expect(answer.status).toBe(201);
    const info = SessionInfo.parse(await answer.json());
    expect(info).toMatchObject({ title: "Old", provider_session_id: id, resume_command: "go on" });
    const headers = { accept: "application/json" };
    const page = await (await request(`/sessions/${info.session_id}/events`, { headers })).text();
    expect(page).toContain("long ago");
    expect(await (await request("/sessions")).json()).toMatchObject({ sessions: [info] });

    // It is ours from now on: not offered any more, and importing it again leads to the same session.
    expect(await (await request("/history")).json()).toEqual({ sessions: [] });
    const again = await Promise.all(
      [1, 2].map(() => request(`/history/${id}/import`, { json: { runtime: "demo" } })),
    );
    expect(again.map(({ status }) => status)).toEqual([200, 200]);
    for (const response of again) expect(await response.json()).toEqual(info);
    expect(await (await request("/sessions")).json()).toMatchObject({ sessions: [info] });

    const unknown = await request("/history/past-2/import", { json: { runtime: "demo" } });
    expect([unknown.status, await codeOf(unknown)]).toEqual([404, "not_found"]);
    const other = await request(`/history/${id}/import`, { json: { runtime: "none" } });
    expect([other.status, await codeOf(other)]).toEqual([409, "capability_missing"]);
    const wrong = await request(`/history/${id}/import`, { json: {} });
    expect([wrong.status, await codeOf(wrong)]).toEqual([400, "invalid_request"]);
  });

  test("metrics count requests by route and status, and what the host does", async () => {
    const { request, createSession, metric } = await startServer();
    const id = await createSession();
    await request(`/sessions/${id}`);
    await request("/sessions/unknown");
    await request("/none");
    const answer = await request("/metrics");
    expect(answer.headers.get("content-type")).toContain("text/plain");
    const text = await answer.text();
    const series = (route: string, status: number): string =>
      `turnwire_http_requests_total{method="GET",route="${route}",status="${status}"} 1`;
    expect(text).toContain(series("/sessions/{session_id}", 200));
    expect(text).toContain(series("/sessions/{session_id}", 404));
    expect(text).toContain(series("none", 404));
    expect(text).not.toContain(id);
    expect(text).toContain('turnwire_event_loop_lag_seconds{quantile="0.99"}');
    expect(await metric("turnwire_sessions_loaded")).toBe(1);
    expect(await metric("turnwire_events_appended_total")).toBe(1);
    expect(await metric("turnwire_commits_total")).toBe(1);
    expect(await metric("turnwire_live_runs")).toBe(0);
    expect(await metric("turnwire_sessions_followed")).toBe(0);
    expect(await metric("turnwire_takeovers_total")).toBe(0);
    expect(text).toContain(
      'turnwire_store_operation_seconds_count{operation="append",outcome="ok"} 1',
    );
    expect(text).toContain('turnwire_store_hints_total{type="created"} 1');
  });

  test("two servers in one process count apart", async () => {
    const [one, two] = [await startServer(), await startServer()];
    await one.createSession();
    expect(await one.metric("turnwire_sessions_loaded")).toBe(1);
    expect(await two.metric("turnwire_sessions_loaded")).toBe(0);
  });
});

test("HEAD answers as GET does, without a body", async () => {
  const running = await startServer();
  const id = await running.createSession();
  const paths = running.server.table.routes
    // Whoever checks a login link learns nothing of its code.
    .filter(({ method, path }) => method === "GET" && path !== "/login/{code}")
    .map(({ path }) => path.replace("{session_id}", id));
  expect(paths.length).toBeGreaterThan(20);
  for (const path of paths) {
    const head = await running.request(path, { method: "HEAD" });
    expect(await head.text()).toBe("");
    const answer = await running.request(path);
    await answer.body?.cancel();
    expect(`${path} ${head.status}`).toBe(`${path} ${answer.status}`);
    expect(head.headers.get("content-type")).toBe(answer.headers.get("content-type"));
  }
});

describe("paths and methods that are not there", () => {
  test("an unknown path is 404 with a body of the usual shape", async () => {
    const { request } = await startServer();
    for (const path of ["/none", "/sessions/", "/sessions/a/none", "//", "/%2e%2e/etc/passwd"]) {
      const answer = await request(path);
      expect(`${path} ${answer.status}`).toBe(`${path} 404`);
      expect(await codeOf(answer)).toMatch(/not_found/);
    }
  });

  test("a known path with another method is 405 and says what is allowed", async () => {
    const { request } = await startServer();
    const answer = await request("/sessions", { method: "PUT" });
    expect(answer.status).toBe(405);
    expect(answer.headers.get("allow")).toBe("POST, GET");
    expect(await codeOf(answer)).toBe("method_not_allowed");
    expect((await request("/health", { method: "DELETE" })).status).toBe(405);
    expect((await request("/sessions/a/events", { method: "POST" })).status).toBe(405);
  });
});

describe("the OpenAPI document", () => {
  interface Document {
    openapi: string;
    paths: Record<string, Record<string, { responses: object; security?: unknown[] }>>;
    components: { schemas: Record<string, unknown> };
  }

  async function load() {
    const running = await startServer();
    const document = (await (await running.request("/openapi.json")).json()) as Document;
    return { ...running, document };
  }

  test("describes every route of the table and no other", async () => {
    const { server, document } = await load();
    expect(document.openapi).toBe("3.1.0");
    const described = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    );
    const served = [
      ...server.table.routes.map(({ method, path }) => `${method} ${path}`),
      ...server.table.sockets.map(({ path }) => `GET ${path}`),
    ];
    expect(described.toSorted()).toEqual(served.toSorted());
    expect(document.paths["/health"]?.["get"]?.security).toEqual([]);
  });

  test("every reference in it leads somewhere", async () => {
    const { document } = await load();
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(
      ([, to]) => to,
    );
    expect(references.length).toBeGreaterThan(30);
    for (const reference of new Set(references)) {
      const name = reference?.replace("#/components/schemas/", "") ?? "";
      expect(document.components.schemas).toHaveProperty([name]);
    }
  });

  test("names the words of the protocol, and has no name that a library made up", async () => {
    const { document } = await load();
    expect(Object.keys(document.components.schemas).filter((name) => /__/.test(name))).toEqual([]);
    expect(Object.keys(document.components.schemas)).toEqual(
      expect.arrayContaining([
        "Command",
        "CreateSession",
        "SendMessage",
        "SessionInfo",
        "WireErrorBody",
      ]),
    );
  });
});
