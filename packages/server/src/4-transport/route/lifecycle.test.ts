import { describe, expect, test } from "vitest";
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

  test("a rollback names a turn that exists", async () => {
    const { request, path } = await withSession();
    expect((await request(`${path}/rollback`, { json: { turn_id: "none" } })).status).toBe(400);
    expect((await request(`${path}/rollback`, { json: {} })).status).toBe(400);
  });
});
