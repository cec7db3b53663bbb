import type { SessionEvent } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { codeOf, startServer, type RunningServer } from "../test-support/running-server.ts";
import { readSse, type SseReader } from "../test-support/sse-reader.ts";

async function withSession(options: Record<string, unknown> = {}) {
  const running = await startServer();
  const id = await running.createSession(options);
  return { ...running, id, path: `/sessions/${id}` };
}

function eventOf(reader: SseReader, type: string): SessionEvent | undefined {
  const frame = reader.frames.find(({ event }) => event === type);
  return frame && (JSON.parse(frame.data) as SessionEvent);
}

/** Sends a message to the demo agent that makes it ask, and resolves with the request's id. */
async function askedFor(running: RunningServer & { path: string }, message: string, type: string) {
  const reader = await readSse(`${running.url}${running.path}/events`);
  await running.request(`${running.path}/message`, { json: { message } });
  await reader.until(() => reader.frames.some(({ event }) => event === type));
  const { data } = eventOf(reader, type) ?? { data: {} };
  const id =
    "correlation_id" in data ? data.correlation_id : "interrupt_id" in data && data.interrupt_id;
  return { reader, requestId: String(id) };
}

describe("commands over HTTP", () => {
  test("a message is answered 202 with its place, and the turn runs to its end", async () => {
    const { url, request, path } = await withSession();
    const reader = await readSse(`${url}${path}/events`);
    const answer = await request(`${path}/message`, { json: { message: "hello" } });
    expect(answer.status).toBe(202);
    expect(await answer.json()).toEqual({
      accepted: true,
      message_id: expect.any(String),
      seq: 2,
    });
    await reader.until(() => reader.frames.some(({ event }) => event === "done"));
    expect(reader.frames.map(({ event }) => event).slice(0, 3)).toEqual([
      "session_ready",
      "user_message",
      "turn_started",
    ]);
    reader.close();
  });

  test("sending again with the same client id answers as the first time; other words are 409", async () => {
    const { request, path } = await withSession();
    const send = (message: string) =>
      request(`${path}/message`, { json: { message, client_message_id: "c1" } });
    const [first, second] = [await send("hello"), await send("hello")];
    const { message_id, seq } = (await first.json()) as { message_id: string; seq: number };
    expect(second.status).toBe(202);
    expect(await second.json()).toEqual({ accepted: true, message_id, seq, duplicate: true });
    const other = await send("goodbye");
    expect(other.status).toBe(409);
    expect(await codeOf(other)).toBe("idempotency_conflict");
  });

  test.each([
    ["no message", {}],
    ["an empty message", { message: "" }],
    ["no blocks", { message: [] }],
    [
      "too many blocks",
      { message: Array.from({ length: 1000 }, () => ({ type: "text", text: "x" })) },
    ],
    ["a number", { message: 5 }],
    ["an unknown block", { message: [{ type: "video" }] }],
    [
      "bad base64",
      {
        message: [
          { type: "image", source: { type: "base64", media_type: "image/png", data: "%%%" } },
        ],
      },
    ],
    [
      "an SVG",
      {
        message: [
          { type: "image", source: { type: "base64", media_type: "image/svg+xml", data: "AAAA" } },
        ],
      },
    ],
    ["a wrong delivery", { message: "hi", delivery: "later" }],
  ])("a message with %s is 400, says where, and leaves no trace", async (_name, json) => {
    const { request, path } = await withSession();
    const answer = await request(`${path}/message`, { json });
    expect(answer.status).toBe(400);
    const body = (await answer.json()) as {
      error: { code: string; details: { issues: unknown[] } };
    };
    expect(body.error.code).toBe("invalid_request");
    expect(body.error.details.issues.length).toBeGreaterThan(0);
    expect(await (await request(path)).json()).toMatchObject({ head: 1 });
  });

  test("the first answer to a permission wins; a later one is 409, a wrong id 404", async () => {
    const running = await withSession();
    const { reader, requestId } = await askedFor(running, "/permission", "permission_request");
    const answer = (correlation_id: string) =>
      running.request(`${running.path}/commands`, {
        json: { type: "permission_response", correlation_id, behavior: "deny" },
      });
    expect((await answer("not asked")).status).toBe(404);
    const outcomes = await Promise.all([answer(requestId), answer(requestId)]);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([202, 409]));
    const late = await answer(requestId);
    expect(late.status).toBe(409);
    expect(await codeOf(late)).toBe("already_resolved");
    reader.close();
  });

  test("a component that waits is answered by its own route", async () => {
    const running = await withSession();
    const { reader, requestId } = await askedFor(running, "/interrupt", "interrupt");
    const path = `${running.path}/interrupt/${encodeURIComponent(requestId)}`;
    const answer = await running.request(path, { json: { value: { choice: 1 } } });
    expect(answer.status).toBe(202);
    await reader.until(() => reader.frames.some(({ event }) => event === "interrupt_resolved"));
    const again = await running.request(path, { json: { value: 2 } });
    expect(await codeOf(again)).toBe("already_resolved");
    const missing = await running.request(path, { json: {} });
    expect(missing.status).toBe(400);
    reader.close();
  });

  test("what the runtime cannot do is 409 capability_missing", async () => {
    const { request, path } = await withSession({ runtime: "plain" });
    const refusals = [
      await request(`${path}/compact`, { method: "POST" }),
      await request(`${path}/rollback`, { json: { turn_id: "t" } }),
      await request(`${path}/fork`, { method: "POST" }),
      await request(`${path}/commands`, { json: { type: "set_model", model: "m" } }),
    ];
    expect(refusals.map(({ status }) => status)).toEqual([409, 409, 409, 409]);
    for (const refusal of refusals) expect(await codeOf(refusal)).toBe("capability_missing");
  });

  test("steering needs a turn that runs", async () => {
    const { request, path } = await withSession();
    const answer = await request(`${path}/steer`, { json: { message: "left" } });
    expect(answer.status).toBe(409);
    expect(await codeOf(answer)).toBe("turn_not_running");
  });

  test("a fork by command answers 201 with the copy, like a fork by route", async () => {
    const { request, path, id } = await withSession();
    for (const answer of [
      await request(`${path}/commands`, { json: { type: "fork", title: "copy" } }),
      await request(`${path}/fork`, { json: { title: "copy" } }),
    ]) {
      expect(answer.status).toBe(201);
      const copy = (await answer.json()) as { session_id: string; title: string };
      expect(copy.title).toBe("copy");
      expect(copy.session_id).not.toBe(id);
    }
  });

  test.each([{ type: "no_such_thing" }, {}, { type: 5 }, { type: "__proto__" }])(
    "the unknown command %j is 400",
    async (json) => {
      const { request, path } = await withSession();
      const answer = await request(`${path}/commands`, { json });
      expect(answer.status).toBe(400);
      expect(await codeOf(answer)).toBe("invalid_request");
    },
  );
});
