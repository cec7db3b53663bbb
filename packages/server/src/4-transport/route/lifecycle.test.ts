import { draft, SessionInfo } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { demo } from "@turnwire/runtime/demo";
import { ScriptedRuntime } from "../../test-support/scripted-runtime.ts";
import { codeOf, startServer } from "../test-support/running-server.ts";
import { readSse } from "../test-support/sse-reader.ts";

async function withSession() {
  const running = await startServer();
  const id = await running.createSession();
  return { ...running, path: `/sessions/${id}` };
}

describe("a session's life over HTTP", () => {
  test("stop ends the turn that runs, and is harmless when none does", async () => {
    const { url, request, path } = await withSession();
    const reader = await readSse(`${url}${path}/events`);
    expect((await request(`${path}/stop`, { method: "POST" })).status).toBe(202);
    await request(`${path}/message`, { json: { message: "/permission" } });
    await reader.until(() => reader.frames.some(({ event }) => event === "permission_request"));
    expect((await request(`${path}/stop`, { method: "POST" })).status).toBe(202);
    await reader.until(() => reader.frames.some(({ event }) => event === "done"));
    const done = reader.frames.find(({ event }) => event === "done");
    expect(JSON.parse(done?.data ?? "")).toMatchObject({ data: { stopped: true } });
    reader.close();
  });

  test("an archived session takes no messages until it is unarchived", async () => {
    const { request, path } = await withSession();
    const archived = await request(`${path}/archive`, { method: "POST" });
    expect(archived.status).toBe(200);
    expect(await archived.json()).toMatchObject({ status: "archived" });
    const refusal = await request(`${path}/message`, { json: { message: "hello" } });
    expect(refusal.status).toBe(409);
    expect(await codeOf(refusal)).toBe("session_archived");
    const back = await request(`${path}/unarchive`, { method: "POST" });
    expect(await back.json()).not.toMatchObject({ status: "archived" });
  });

  test("resume wakes a session", async () => {
    const { request, path } = await withSession();
    const answer = await request(`${path}/resume`, { method: "POST" });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: "live" });
  });

  test("resume takes another model, effort and instructions, which a copy has too", async () => {
    const scripted = new ScriptedRuntime();
    const hostOptions = { runtimes: [scripted], defaultRuntime: "scripted" };
    const { request, createSession } = await startServer({ hostOptions });
    const path = `/sessions/${await createSession({ system_prompt: "first" })}`;
    await request(`${path}/resume`, { method: "POST" });
    const newest = () => scripted.runs.at(-1)?.options;
    expect(newest()?.systemPrompt).toEqual({ mode: "append", text: "first" });
    const system_prompt = { mode: "replace", text: "second" };
    const json = { model: "large", effort: "high", system_prompt };
    const answer = await request(`${path}/resume`, { json });
    expect(await answer.json()).toMatchObject({ status: "live", model: "large", effort: "high" });
    const changed = { model: "large", effort: "high", systemPrompt: system_prompt };
    expect(newest()).toMatchObject(changed);
    const unknown = await request(`${path}/resume`, { json: { instructions: "third" } });
    expect(unknown.status).toBe(400);
    expect(await unknown.text()).toContain("instructions");
    const forked = await request(`${path}/fork`, { json: { effort: "low" } });
    const { session_id } = SessionInfo.parse(await forked.json());
    await request(`/sessions/${session_id}/resume`, { method: "POST" });
    expect(newest()).toMatchObject({ ...changed, effort: "low" });
  });

  test("resume gives other instructions only between turns", async () => {
    const scripted = new ScriptedRuntime();
    const hostOptions = { runtimes: [scripted], defaultRuntime: "scripted" };
    const { request, createSession } = await startServer({ hostOptions });
    const path = `/sessions/${await createSession()}`;
    await request(`${path}/message`, { json: { message: "hello" } });
    await (await scripted.run()).wasAsked("send");
    const refusal = await request(`${path}/resume`, { json: { system_prompt: "be brief" } });
    expect([refusal.status, await codeOf(refusal)]).toEqual([409, "turn_running"]);
    expect(scripted.runs).toHaveLength(1);
  });

  test("resume continues a conversation of the agent's own program, once", async () => {
    const ts = "2026-11-15T00:00:00.000Z";
    const past = { provider_session_id: "past-1", updated_at: ts, resume_command: "go" };
    const history = {
      list: async () => [past],
      read: async () => [{ ...draft("notice", { level: "info", text: "old" }), ts }],
    };
    const runtime = { ...demo({ delayMs: 0 }), history };
    const { request } = await startServer({ hostOptions: { runtimes: [runtime] } });
    const json = { provider_session_id: "past-1" };
    const answer = await request("/sessions/mine/resume", { json });
    expect(await answer.json()).toMatchObject({ session_id: "mine", ...json });
    const headers = { accept: "application/json" };
    const page = await (await request("/sessions/mine/events", { headers })).text();
    expect(page).toContain('"resumed":true');
    expect((await request("/sessions/mine/resume", { json })).status).toBe(200);
    const second = await request("/sessions/second/resume", { json });
    expect(second.status).toBe(409);
    expect(await second.json()).toMatchObject({ error: { details: { session_id: "mine" } } });
    const other = { provider_session_id: "past-2" };
    const refusal = await request("/sessions/mine/resume", { json: other });
    expect([refusal.status, await codeOf(refusal)]).toEqual([409, "session_exists"]);
    const missing = await request("/sessions/none/resume", { json: other });
    expect([missing.status, await codeOf(missing)]).toEqual([404, "not_found"]);
    expect((await request("/sessions/none/resume", { method: "POST" })).status).toBe(404);
  });

  test("a message's node_context reaches the agent within its context", async () => {
    const scripted = new ScriptedRuntime();
    const hostOptions = { runtimes: [scripted], defaultRuntime: "scripted" };
    const { request, createSession } = await startServer({ hostOptions });
    const path = `/sessions/${await createSession()}`;
    const json = { message: "hi", context: { page: 1 }, node_context: { node: "n1" } };
    expect((await request(`${path}/message`, { json })).status).toBe(202);
    const { input } = await (await scripted.run()).wasAsked("send");
    expect(input.context).toEqual({ page: 1, node_context: { node: "n1" } });
  });

  test("a rollback names a turn that exists", async () => {
    const { request, path } = await withSession();
    expect((await request(`${path}/rollback`, { json: { turn_id: "none" } })).status).toBe(400);
    expect((await request(`${path}/rollback`, { json: {} })).status).toBe(400);
  });
});
