import {
  checkGrammar,
  type JsonObject,
  type SessionEvent,
  type SessionState,
} from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { createMemoryStore } from "@turnwire/log";
import { ManualClock } from "../../../../base/src/test-support/manual-clock.ts";
import { eventOf } from "../../test-support/log-reader.ts";
import { admin, createTestSession, openTestHost } from "../../test-support/test-host.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";

const catalog = [
  {
    name: "table",
    description: "A table.",
    props_schema: { type: "object", required: ["rows"] },
    surfaces: ["panel", "chat"],
  },
];

/** A session, and what any program can do with its components. */
async function withSession(options: Record<string, unknown> = {}) {
  const running = await startServer();
  const id = await running.createSession(options);
  const path = `/sessions/${id}`;
  const put = (componentId: string, json: unknown) =>
    running.request(`${path}/components/${componentId}`, { method: "PUT", json });
  const remove = (componentId: string) =>
    running.request(`${path}/components/${componentId}`, { method: "DELETE" });
  const state = async () => {
    const answer = await running.request(`${path}/snapshot`);
    return ((await answer.json()) as { state: SessionState }).state;
  };
  const events = async () => {
    const headers = { accept: "application/json" };
    const answer = await running.request(`${path}/events?after=0&limit=1000`, { headers });
    return ((await answer.json()) as { events: SessionEvent[] }).events;
  };
  return { ...running, id, path, put, remove, state, events };
}

const build = { name: "progress", surface: "panel", props: { done: 1, total: 3 } };

async function reason(answer: Response): Promise<string> {
  const { error } = (await answer.json()) as { error: { message: string } };
  return error.message;
}

describe("components over HTTP", () => {
  test("are shown, changed in part, patched, moved and removed by any program", async () => {
    const { put, remove, state, events } = await withSession();
    const first = await put("build", build);
    expect(first.status).toBe(202);
    expect(await first.json()).toMatchObject({ accepted: true, seq: 2 });
    await put("build", { props: { done: 2 }, merge: true });
    expect((await state()).surfaces.panel).toEqual([
      { component_id: "build", ...build, props: { done: 2, total: 3 } },
    ]);
    await put("build", { patches: [{ op: "replace", path: "/done", value: 3 }] });
    await put("build", { surface: "sidebar", props: {}, merge: true });
    const { surfaces } = await state();
    expect(surfaces.panel).toEqual([]);
    expect(surfaces.sidebar).toMatchObject([{ props: { done: 3, total: 3 } }]);
    expect((await remove("build")).status).toBe(202);
    expect((await state()).surfaces.sidebar).toEqual([]);
    const log = await events();
    expect(checkGrammar(log)).toEqual([]);
    expect(log.slice(1).map(({ data }) => (data as JsonObject)["by"])).toEqual(
      Array.from({ length: 5 }, () => "local"),
    );
  });

  test("that are not there are removed without effect", async () => {
    const { remove, events } = await withSession();
    const answer = await remove("nothing");
    expect(answer.status).toBe(202);
    expect(await answer.json()).toMatchObject({ seq: 1 });
    expect(await events()).toHaveLength(1);
  });

  test("stand in the conversation, also before there is one", async () => {
    const { put, state, events } = await withSession();
    await put("t", { name: "table", surface: "chat", props: { rows: [] } });
    expect((await state()).messages).toMatchObject([
      { role: "agent", blocks: [{ type: "component", component_id: "t" }] },
    ]);
    expect(checkGrammar(await events())).toEqual([]);
  });

  test.each<[string, JsonObject, string]>([
    ["without a name", { surface: "panel" }, "needs a name"],
    ["without a surface", { name: "table" }, "needs a surface"],
    [
      "patches of a new one",
      { name: "progress", surface: "panel", patches: [{ op: "remove", path: "/a" }] },
      "no component c",
    ],
    [
      "props and patches",
      { ...build, patches: [{ op: "remove", path: "/done" }] },
      "not with both",
    ],
    ["a surface that there is not", { ...build, surface: "ceiling" }, "surface"],
    ["props that are not an object", { ...build, props: [] as never }, "props"],
    ["a key that is not known", { ...build, prosp: {} }, "prosp"],
  ])("%s is 400 and says why", async (_name, json, why) => {
    const { put } = await withSession();
    const answer = await put("c", json);
    expect(answer.status).toBe(400);
    expect(await reason(answer)).toContain(why);
  });

  test("are held to the catalog", async () => {
    const { put, state } = await withSession({ catalog });
    expect(await reason(await put("c", { name: "chart", surface: "panel" }))).toContain(
      "There are: table",
    );
    const elsewhere = await put("c", { name: "table", surface: "canvas", props: { rows: [] } });
    expect(await reason(elsewhere)).toContain("only in: panel, chat");
    expect((await put("c", { name: "table", props: { rows: [] } })).status).toBe(202);
    expect((await state()).surfaces.panel).toMatchObject([{ name: "table", surface: "panel" }]);
  });

  test("with a patch to a missing path are left as they are", async () => {
    const { put, state } = await withSession();
    await put("build", build);
    const answer = await put("build", { patches: [{ op: "remove", path: "/nothing" }] });
    expect(answer.status).toBe(400);
    expect(await reason(answer)).toContain("/nothing");
    expect((await state()).surfaces.panel).toMatchObject([{ props: build.props }]);
  });

  test("of a megabyte are stored beside the log", async () => {
    const { put, state } = await withSession();
    const props = { text: "x".repeat(1_000_000) };
    expect((await put("large", { ...build, props })).status).toBe(202);
    const [shown] = (await state()).surfaces.panel;
    expect(shown?.attachments).toMatchObject([{ path: "/props/text", size: 1_000_000 }]);
  });

  test("of more than a mebibyte are refused", async () => {
    const { put, state } = await withSession();
    const props = { text: "x".repeat(1024 * 1024) };
    const answer = await put("large", { ...build, props });
    expect(answer.status).toBe(400);
    expect(await reason(answer)).toContain("at most 1048576");
    expect((await state()).surfaces.panel).toEqual([]);
  });

  test("of an archived session stay as they are", async () => {
    const { put, remove, request, path } = await withSession();
    await request(`${path}/archive`, { method: "POST" });
    expect(await codeOf(await put("build", build))).toBe("session_archived");
    expect(await codeOf(await remove("build"))).toBe("session_archived");
  });

  test("of another person's session are not found, also for a program that guesses their ids", async () => {
    const { request, createSession } = await startServer({
      auth: {
        type: "authorize",
        authorize: ({ headers }) => ({ id: String(headers["x-user"] ?? "ann"), isAdmin: false }),
      },
    });
    const path = `/sessions/${await createSession()}/components/build`;
    const as = (user: string, method: string, json?: unknown) =>
      request(path, { method, headers: { "x-user": user }, ...(json !== undefined && { json }) });
    expect((await as("ann", "PUT", build)).status).toBe(202);
    expect(await codeOf(await as("bob", "PUT", build))).toBe("session_not_found");
    expect(await codeOf(await as("bob", "DELETE"))).toBe("session_not_found");
    expect(await (await as("ann", "DELETE")).json()).toMatchObject({ seq: 3 });
  });
});

describe("a question of a program", () => {
  const approval = { component_name: "approval", props: { action: "deploy" }, surface: "chat" };

  async function withQuestions(options: Record<string, unknown> = {}) {
    const session = await withSession(options);
    const at = (id: string) => `${session.path}/interrupt/${id}`;
    const ask = (id: string, json: unknown = approval) =>
      session.request(at(id), { method: "PUT", json });
    const answer = (id: string, value: unknown) =>
      session.request(at(id), { method: "POST", json: { value } });
    const send = (json: unknown) =>
      session.request(`${session.path}/commands`, { method: "POST", json });
    return { ...session, ask, answer, send };
  }

  test("is a component that waits, for one answer, which the log has with who asked and who answered", async () => {
    const { ask, answer, state, events } = await withQuestions();
    expect((await ask("q")).status).toBe(202);
    expect((await ask("q")).status).toBe(202);
    const open = await state();
    expect(open.requests).toMatchObject({ q: { data: { ...approval, by: "local" } } });
    expect(open.messages.at(-1)).toMatchObject({ blocks: [{ type: "interrupt", status: "open" }] });
    expect((await answer("q", "approve")).status).toBe(202);
    expect(await codeOf(await answer("q", "reject"))).toBe("already_resolved");
    expect(await codeOf(await ask("q"))).toBe("already_resolved");
    const log = await events();
    expect(log.map(({ type }) => type)).toEqual([
      "session_ready",
      "interrupt",
      "interrupt_resolved",
    ]);
    expect(log.at(-1)).toMatchObject({
      data: { interrupt_id: "q", outcome: "answered", value: "approve", by: "local" },
    });
    expect(checkGrammar(log)).toEqual([]);
  });

  test("outlives the turn in which it was asked, also one that is stopped", async () => {
    const { ask, answer, send, state, events } = await withQuestions();
    await send({ type: "user_message", content: "hello" });
    await ask("q");
    await send({ type: "interrupt" });
    await expect.poll(async () => (await state()).turn).toBe(null);
    await send({ type: "user_message", content: "again" });
    await expect.poll(async () => (await state()).turn).toBe(null);
    expect((await state()).requests).toHaveProperty("q");
    await answer("q", { n: 1 });
    expect(checkGrammar(await events())).toEqual([]);
  });

  test("outlives the server, and ends in time under the next one", async () => {
    const store = createMemoryStore();
    const clock = new ManualClock();
    const earlier = openTestHost({ store, clock, requestTimeoutMs: 60_000 });
    const session = await createTestSession(earlier.host);
    const asked = { type: "ask", interrupt_id: "q", ...approval, surface: "chat" } as const;
    expect(await session.execute(asked, admin)).toMatchObject({ ok: true });
    await earlier.crash();
    const { host } = openTestHost({ store, clock, requestTimeoutMs: 60_000 });
    const opened = await host.open(session.id, admin);
    if (!opened.ok) throw new Error(opened.error.message);
    expect(opened.value.control.requests).toHaveProperty("q");
    await clock.advance(60_000);
    await eventOf(opened.value.log, "interrupt_resolved");
    expect(opened.value.control.outcomes).toEqual({ q: "expired" });
  });

  test("ends with the session's archiving", async () => {
    const { ask, request, path, events } = await withQuestions();
    await ask("q");
    await request(`${path}/archive`, { method: "POST" });
    expect(await events()).toContainEqual(
      expect.objectContaining({
        type: "interrupt_resolved",
        data: { interrupt_id: "q", outcome: "cancelled" },
      }),
    );
  });

  test("is held to the catalog, which also names its surface", async () => {
    const { ask, state } = await withQuestions({ catalog });
    expect(await reason(await ask("a"))).toContain("There are: table");
    expect(await reason(await ask("b", { component_name: "table" }))).toContain("rows");
    const { status } = await ask("c", { component_name: "table", props: { rows: [] } });
    expect(status).toBe(202);
    expect((await state()).surfaces.panel).toMatchObject([{ component_id: "interrupt-c" }]);
  });

  test("in the form of an event does not stop the turn, but is refused with the way to ask", async () => {
    const { send, events } = await withQuestions();
    const data = { interrupt_id: "q", ...approval };
    const answer = await send({ type: "interrupt", data, ts: "2026-01-01T00:00:00.000Z" });
    expect(answer.status).toBe(400);
    expect(await reason(answer)).toContain("send ask");
    expect(await events()).toHaveLength(1);
  });
});
