import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, type TurnwireClient } from "./client.ts";
import { createHastyPlatform } from "./test-support/hasty-platform.ts";
import { ManualPlatform } from "./test-support/manual-platform.ts";
import { sampleLog } from "./test-support/sample-event.ts";
import { ScriptedServer } from "./test-support/scripted-server.ts";

let server: ScriptedServer;
let client: TurnwireClient;

beforeAll(async () => {
  server = await ScriptedServer.start();
  const { platform } = createHastyPlatform();
  client = createClient({ url: `${server.url}/`, token: server.token, ...platform });
  server.addSession("s 1", sampleLog(3));
});

afterAll(() => server.close());

describe("each route of the protocol has its call", () => {
  const id = "s 1";
  const empty = {};
  test.each<[string, unknown, (client: TurnwireClient) => Promise<unknown>]>([
    ["POST /sessions", { runtime: "demo" }, (c) => c.sessions.create({ runtime: "demo" })],
    ["POST /sessions", empty, (c) => c.sessions.create()],
    ["GET /sessions", undefined, (c) => c.sessions.list()],
    [
      "GET /sessions?limit=5&status=live",
      undefined,
      (c) => c.sessions.list({ limit: 5, status: "live" }),
    ],
    ["GET /sessions/s%201", undefined, (c) => c.sessions.get(id)],
    ["PATCH /sessions/s%201", { title: "T" }, (c) => c.sessions.update(id, { title: "T" })],
    ["DELETE /sessions/s%201", undefined, (c) => c.sessions.delete(id)],
    [
      "POST /sessions/s%201/message",
      { message: "hi", client_message_id: "c1" },
      (c) => c.sessions.message(id, { message: "hi", client_message_id: "c1" }),
    ],
    [
      "POST /sessions/s%201/steer",
      { message: "hi", client_message_id: "c2" },
      (c) => c.sessions.steer(id, { message: "hi", client_message_id: "c2" }),
    ],
    [
      "POST /sessions/s%201/commands",
      { type: "rename", title: "T" },
      (c) => c.sessions.command(id, { type: "rename", title: "T" }),
    ],
    ["POST /sessions/s%201/stop", empty, (c) => c.sessions.stop(id)],
    ["POST /sessions/s%201/resume", empty, (c) => c.sessions.resume(id)],
    ["POST /sessions/s%201/fork", { title: "T" }, (c) => c.sessions.fork(id, { title: "T" })],
    [
      "POST /sessions/s%201/rollback",
      { turn_id: "t1", files: true },
      (c) => c.sessions.rollback(id, { turn_id: "t1", files: true }),
    ],
    ["POST /sessions/s%201/compact", empty, (c) => c.sessions.compact(id)],
    ["POST /sessions/s%201/archive", empty, (c) => c.sessions.archive(id)],
    ["POST /sessions/s%201/unarchive", empty, (c) => c.sessions.unarchive(id)],
    ["GET /sessions/s%201/state", undefined, (c) => c.sessions.sharedState(id)],
    [
      "PATCH /sessions/s%201/state",
      [{ op: "add", path: "/a", value: 1 }],
      (c) => c.sessions.patchSharedState(id, [{ op: "add", path: "/a", value: 1 }]),
    ],
    [
      "PUT /sessions/s%201/components/k%2F1",
      { name: "table", surface: "panel", props: {} },
      (c) =>
        c.sessions.showComponent(id, {
          component_id: "k/1",
          name: "table",
          surface: "panel",
          props: {},
        }),
    ],
    [
      "DELETE /sessions/s%201/components/k%2F1",
      undefined,
      (c) => c.sessions.removeComponent(id, "k/1"),
    ],
    [
      "POST /sessions/s%201/interrupt/i%2F1",
      { value: 7 },
      (c) => c.sessions.answerInterrupt(id, { interrupt_id: "i/1", value: 7 }),
    ],
    [
      "POST /sessions/s%201/components",
      { component_id: "k", action: "go", payload: {} },
      (c) => c.sessions.componentCallback(id, { component_id: "k", action: "go", payload: {} }),
    ],
    ["GET /sessions/s%201/snapshot", undefined, (c) => c.sessions.snapshot(id)],
    ["GET /runtimes", undefined, (c) => c.runtimes()],
    ["GET /history", undefined, (c) => c.history()],
    ["GET /health", undefined, (c) => c.health()],
    ["GET /metrics", undefined, (c) => c.metrics()],
    ["GET /hosts", undefined, (c) => c.hosts()],
    ["POST /login", {}, (c) => c.loginLink()],
    ["POST /login", { name: "Phone" }, (c) => c.loginLink({ name: "Phone" })],
    ["GET /logins", undefined, (c) => c.logins.list()],
    ["PATCH /logins/l1", { name: "Desk" }, (c) => c.logins.rename("l1", "Desk")],
    ["DELETE /logins/l1", undefined, (c) => c.logins.revoke("l1")],
    ["POST /tokens", { scope: "read" }, (c) => c.tokens.create({ scope: "read" })],
    ["GET /tokens", undefined, (c) => c.tokens.list()],
    ["DELETE /tokens/t1", undefined, (c) => c.tokens.revoke("t1")],
    ["DELETE /logins", undefined, (c) => c.logins.revokeOthers()],
    ["POST /logout", undefined, (c) => c.logins.logOut()],
    ["GET /openapi.json", undefined, (c) => c.openapi()],
  ])("%s %j", async (line, body, call) => {
    await call(client);
    const seen = server.seen.find((request) => {
      const search = request.query.size > 0 ? `?${request.query}` : "";
      return (
        `${request.method} ${request.path}${search}` === line &&
        JSON.stringify(request.body) === JSON.stringify(body)
      );
    });
    expect(seen?.headers).toMatchObject({
      accept: "application/json",
      authorization: "Bearer secret",
      ...(body !== undefined && { "content-type": "application/json" }),
    });
  });

  test("a page of events is asked for as JSON", async () => {
    server.fail("/page/events", { type: "answer", status: 200, body: '{"events":[]}' });
    expect(await client.sessions.eventPage("page", { after: 3, limit: 10 })).toEqual({
      events: [],
    });
    const [seen] = server.seenAt("/page/events");
    expect(seen?.headers.accept).toBe("application/json");
    expect(String(seen?.query)).toBe("after=3&limit=10");
  });
});

describe("a call", () => {
  test("that the server refuses carries its words", async () => {
    await expect(client.sessions.get("unknown")).rejects.toMatchObject({
      name: "ClientError",
      code: "wire",
      status: 404,
      error: { code: "session_not_found", retryable: false },
    });
  });

  test("without a token sends none", async () => {
    const anonymous = createClient({ url: server.url });
    await expect(anonymous.sessions.get("anonymous")).rejects.toMatchObject({ status: 401 });
    expect(server.seenAt("/anonymous")[0]?.headers.authorization).toBeUndefined();
  });

  test("in a page of the server carries the page's key, read each time; beside a token it does not", async () => {
    let key: string | undefined = "first";
    const page = createClient({ url: server.url, pageKey: () => key });
    for (const next of ["second", undefined]) {
      await expect(page.sessions.get("keyed")).rejects.toMatchObject({ status: 401 });
      key = next;
    }
    await expect(page.sessions.get("keyed")).rejects.toMatchObject({ status: 401 });
    const seen = server.seenAt("/keyed").map(({ headers }) => headers["turnwire-page-key"]);
    expect(seen).toEqual(["first", "second", undefined]);
    const both = createClient({ url: server.url, token: "wrong", pageKey: () => "key" });
    await expect(both.sessions.get("both")).rejects.toMatchObject({ status: 401 });
    expect(server.seenAt("/both")[0]?.headers["turnwire-page-key"]).toBeUndefined();
  });

  test("that is not a message is not repeated: it may have been done", async () => {
    server.fail("/once/fork", { type: "drop_before" });
    await expect(client.sessions.fork("once")).rejects.toMatchObject({ code: "network" });
    expect(server.seenAt("/once/fork")).toHaveLength(1);
  });

  test("gives up when the server does not answer in time", async () => {
    const manual = new ManualPlatform();
    const patient = createClient({ url: server.url, timeoutMs: 3_000, ...manual.platform });
    server.fail("/slow", { type: "hang" });
    const waiting = patient.sessions.get("slow");
    manual.advance(3_000);
    await expect(waiting).rejects.toMatchObject({
      code: "timeout",
      message: "GET /sessions/slow took longer than 3000 ms",
    });
    expect(manual.timerCount).toBe(0);
  });

  test("that is answered leaves no timer behind", async () => {
    const manual = new ManualPlatform();
    const calm = createClient({ url: server.url, token: server.token, ...manual.platform });
    await calm.health();
    expect(manual.timerCount).toBe(0);
  });

  test("gives up when the caller does", async () => {
    server.fail("/never", { type: "hang" });
    const abort = new AbortController();
    const waiting = client.sessions.get("never", { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
  });

  test("that is answered with something else than JSON is a protocol error", async () => {
    server.fail("/odd", { type: "answer", status: 200, body: "<html>" });
    await expect(client.sessions.get("odd")).rejects.toMatchObject({ code: "protocol" });
  });

  test("to no server is a network error", async () => {
    const gone = await ScriptedServer.start();
    const { url } = gone;
    await gone.close();
    await expect(createClient({ url }).health()).rejects.toMatchObject({ code: "network" });
  });
});

describe("the events of a session", () => {
  test("that do not exist are an error of the server's words", async () => {
    const events = client.events("unknown")[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject({ error: { code: "session_not_found" } });
  });

  test("that are gone are an error, not a silent jump", async () => {
    server.addSession("trimmed", sampleLog(9)).trimmed = 5;
    const events = client.events("trimmed", { after: 2 })[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject({
      error: { code: "cursor_gone", details: { oldest: 6, head: 9 } },
    });
  });

  test("of another epoch are an error", async () => {
    server.addSession("renewed", sampleLog(9));
    const events = client.events("renewed", { after: 2, epoch: "e0" })[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject({ error: { code: "cursor_gone" } });
  });
});
