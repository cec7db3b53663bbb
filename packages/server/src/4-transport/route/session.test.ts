import type { SessionList } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, startServer } from "../test-support/running-server.ts";

describe("sessions over HTTP", () => {
  test("creating a session answers 201 with the session", async () => {
    const { request } = await startServer();
    const answer = await request("/sessions", { json: { title: "first", session_id: "a-1" } });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(await answer.json()).toMatchObject({
      session_id: "a-1",
      title: "first",
      runtime: "demo",
      activity: "idle",
      head: 1,
    });
  });

  test("a POST without body and type counts as empty options", async () => {
    const { request } = await startServer();
    expect((await request("/sessions", { method: "POST" })).status).toBe(201);
  });

  test("an id that is taken is refused with 409", async () => {
    const { request, createSession } = await startServer();
    await createSession({ session_id: "mine" });
    const answer = await request("/sessions", { json: { session_id: "mine" } });
    expect(answer.status).toBe(409);
    expect(await codeOf(answer)).toBe("session_exists");
  });

  test.each(["..", "a/b", "a".repeat(200), "ünï", "-rf", "", "search"])(
    "the id %j is refused with 400 before anything is made",
    async (session_id) => {
      const { request } = await startServer();
      const answer = await request("/sessions", { json: { session_id } });
      expect(answer.status).toBe(400);
      expect(await codeOf(answer)).toBe("invalid_request");
      const list = await request("/sessions");
      expect(await list.json()).toEqual({ sessions: [] });
    },
  );

  test.each([
    [{ efort: "low" }, "efort"],
    [{ agents: { max_dept: 1 } }, "agents.max_dept"],
    [
      { mcp_servers: { lab: { type: "stdio", comand: "x", command: "x" } } },
      "mcp_servers.lab.comand",
    ],
    [{ params: { delay: 1 } }, "params.delay"],
    [
      { mcp_servers: { lab: { type: "stdio", command: 5, env: { KEY: "s3cret" } } } },
      "mcp_servers.lab.command",
    ],
    [{ mcp_servers: { lab: { type: "http", url: "file:///etc/passwd" } } }, "mcp_servers.lab.url"],
    [
      { mcp_servers: { lab: { type: "http", url: "http://x", headers: { "a b": "s3cret" } } } },
      "mcp_servers.lab.headers",
    ],
  ])("what is not known of a session is refused by its name: %j", async (json, name) => {
    const { request } = await startServer();
    const answer = await request("/sessions", { json });
    expect(answer.status).toBe(400);
    const body = await answer.text();
    expect(body).toContain(name);
    expect(body).not.toContain("s3cret");
  });

  test("every field that agent-webkit's clients send is known", async () => {
    const { request } = await startServer();
    const json = { model: "demo-1", permission_mode: "default", include_partial_messages: true };
    expect((await request("/sessions", { json })).status).toBe(201);
  });

  test("an effort is shown, changed and taken back", async () => {
    const { request, createSession } = await startServer();
    const id = await createSession({ effort: "low" });
    const effortAfter = async (json: object) => {
      const answer = await request(`/sessions/${id}`, { method: "PATCH", json });
      return ((await answer.json()) as { effort?: string }).effort;
    };
    expect(await effortAfter({})).toBe("low");
    expect(await effortAfter({ effort: "high" })).toBe("high");
    expect(await effortAfter({ effort: null })).toBeUndefined();
    expect(
      (await request(`/sessions/${id}`, { method: "PATCH", json: { effort: "huge" } })).status,
    ).toBe(400);
  });

  test("an unknown runtime is refused with 400", async () => {
    const { request } = await startServer();
    const answer = await request("/sessions", { json: { runtime: "none" } });
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe("runtime_unknown");
  });

  test("the list is paged: next goes into after, and nothing is shown twice", async () => {
    const { request, createSession } = await startServer();
    for (const session_id of ["a", "b", "c", "d", "e"]) await createSession({ session_id });
    const seen: string[] = [];
    let after = "";
    do {
      const answer = await request(
        `/sessions?limit=2${after && `&after=${encodeURIComponent(after)}`}`,
      );
      const page = (await answer.json()) as { sessions: { session_id: string }[]; next?: string };
      seen.push(...page.sessions.map(({ session_id }) => session_id));
      after = page.next ?? "";
    } while (after);
    expect(seen.toSorted()).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("a page that holds the last session names no next one, also when it is full", async () => {
    const { request, createSession } = await startServer();
    for (const session_id of ["a", "b"]) await createSession({ session_id });
    const page: unknown = await (await request("/sessions?limit=2")).json();
    expect(page).not.toHaveProperty("next");
    const first: unknown = await (await request("/sessions?limit=1")).json();
    expect(first).toHaveProperty("next", expect.stringMatching(/^\d.*Z,b$/));
  });

  test("a page neither repeats nor skips sessions when one of the page before it changes", async () => {
    const { request, createSession } = await startServer();
    for (const session_id of ["a", "b", "c", "d"]) await createSession({ session_id });
    const idsAfter = async (query: string) => {
      const answer = await request(`/sessions?limit=2${query}`);
      const page = (await answer.json()) as SessionList;
      return { ids: page.sessions.map(({ session_id }) => session_id), next: page.next ?? "" };
    };
    const first = await idsAfter("");
    const last = first.ids.at(-1) ?? "";
    await request(`/sessions/${last}`, { method: "PATCH", json: { title: "moved" } });
    const second = await idsAfter(`&after=${encodeURIComponent(first.next)}`);
    expect([...first.ids, ...second.ids].toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  test.each(["a", "2026-11-16,a", "%00"])("a list after %s is refused with 400", async (after) => {
    const { request, createSession } = await startServer();
    await createSession({ session_id: "a" });
    const answer = await request(`/sessions?after=${after}`);
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe("invalid_cursor");
  });

  test.each(["limit=0", "limit=1001", "limit=x", "limit=1.5", "status=odd", "activity=odd"])(
    "a list with %s is refused with 400",
    async (query) => {
      const { request } = await startServer();
      const answer = await request(`/sessions?${query}`);
      expect(answer.status).toBe(400);
      expect(await codeOf(answer)).toBe("invalid_request");
    },
  );

  test("a change of title, model and mode is seen in the session", async () => {
    const { request, createSession } = await startServer();
    const id = await createSession();
    const json = { title: "new", model: "demo-1-mini", permission_mode: "plan" };
    const answer = await request(`/sessions/${id}`, { method: "PATCH", json });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject(json);
    expect(await (await request(`/sessions/${id}`)).json()).toMatchObject(json);
  });

  test("a change of which one part is refused changes nothing", async () => {
    const { request, createSession } = await startServer();
    const id = await createSession();
    const before: unknown = await (await request(`/sessions/${id}`)).json();
    const json = { title: "new", model: "demo-1-mini", permission_mode: "no such mode" };
    const answer = await request(`/sessions/${id}`, { method: "PATCH", json });
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe("invalid_request");
    expect(await (await request(`/sessions/${id}`)).json()).toEqual(before);
  });

  test("a deleted session is gone", async () => {
    const { request, createSession } = await startServer();
    const id = await createSession();
    const gone = await request(`/sessions/${id}`, { method: "DELETE" });
    expect(gone.status).toBe(204);
    expect(await gone.text()).toBe("");
    const again = await request(`/sessions/${id}`, { method: "DELETE" });
    expect(again.status).toBe(404);
    expect(await codeOf(again)).toBe("session_not_found");
  });

  test.each(["unknown", "..%2f..%2fetc", "%00", "a%2Fb", "x".repeat(300), "%ff"])(
    "the unknown session %s is 404",
    async (id) => {
      const { request } = await startServer();
      const answer = await request(`/sessions/${id}`);
      expect(answer.status).toBe(404);
      expect(await codeOf(answer)).toMatch(/session_not_found|not_found/);
    },
  );
});
