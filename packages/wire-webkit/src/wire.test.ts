import { draft } from "@turnwire/protocol";
import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { webkit } from "./wire.ts";
import { ScriptedRuntime } from "../../server/src/test-support/scripted-runtime.ts";
import {
  appendTexts,
  codeOf,
  startServer,
  testToken,
  type RunningServer,
  type StartOptions,
} from "../../server/src/4-transport/test-support/running-server.ts";
import { rawRequest, statusOf } from "../../server/src/4-transport/test-support/raw-request.ts";
import { readSse, type SseReader } from "../../server/src/4-transport/test-support/sse-reader.ts";
import { WatchedClock } from "../../server/src/4-transport/test-support/watched-clock.ts";

interface Opened extends RunningServer {
  readonly id: string;
  readonly stream: string;
  /** Sends something as agent-webkit's clients do. */
  readonly input: (message: unknown) => Promise<Response>;
}

async function openSession(options: StartOptions = {}): Promise<Opened> {
  const running = await startServer(options);
  const id = await running.createSession();
  return {
    ...running,
    id,
    stream: `${running.url}/sessions/${id}/stream`,
    input: (message) => running.request(`/sessions/${id}/input`, { json: message }),
  };
}

/** A session of a runtime whose every word the test speaks. */
async function openScripted(hostOptions: StartOptions["hostOptions"] = {}) {
  const runtime = new ScriptedRuntime({ hooks: true });
  const opened = await openSession({
    hostOptions: { runtimes: [runtime], defaultRuntime: runtime.name, ...hostOptions },
  });
  return { ...opened, runtime };
}

async function detailOf(answer: Response): Promise<unknown> {
  const { detail } = (await answer.json()) as { detail?: unknown };
  return detail;
}

async function dataOf(reader: SseReader, event: string): Promise<Record<string, unknown>> {
  await reader.until(() => reader.frames.some((frame) => frame.event === event));
  const found = reader.frames.find((frame) => frame.event === event);
  return JSON.parse(found?.data ?? "{}");
}

describe("the stream for agent-webkit's clients", () => {
  test("starts with session_ready at 1 and continues with what happens, in its words", async () => {
    const { stream, input, id } = await openSession();
    const reader = await readSse(stream, { "content-type": "application/json" });
    expect(reader.response.headers["content-type"]).toBe("text/event-stream; charset=utf-8");
    const sent = await input({ type: "user_message", content: "hello" });
    expect([sent.status, await sent.text()]).toEqual([204, ""]);
    const result = await dataOf(reader, "result");
    expect(result).toMatchObject({ session_id: id, subtype: "success" });
    await reader.until(() => reader.frames.some(({ event }) => event === "turn_done"));
    expect(reader.frames[0]).toMatchObject({ id: 1, event: "session_ready" });
    expect(reader.frames.map((frame) => frame.id)).toEqual(reader.frames.map((_, at) => at + 1));
    expect(reader.frames.map(({ event }) => event)).toContain("message_delta");
    reader.close();
  });

  test("belongs to a session that was created with the body of agent-webkit's reference", async () => {
    const { request } = await startServer({ hostOptions: { roots: [tmpdir()] } });
    const json = { model: "claude-opus-4-7", permission_mode: "default", cwd: tmpdir() };
    const answer = await request("/sessions", { method: "POST", json });
    expect(answer.ok).toBe(true);
    expect(await answer.json()).toMatchObject({
      session_id: expect.any(String),
      protocol_version: "1.0",
    });
  });

  test("continues after the last event that a client has", async () => {
    const { stream, session, id } = await openSession();
    await appendTexts(await session(id), ["two", "three", "four"]);
    const reader = await readSse(stream, { "last-event-id": "2" });
    await reader.until(() => reader.frames.length === 2);
    expect(reader.frames.map((frame) => frame.id)).toEqual([3, 4]);
    reader.close();
  });

  test("replays from the store what memory no longer has", async () => {
    const { stream, session, id } = await openSession({ hostOptions: { ringSize: 2 } });
    const texts = Array.from({ length: 200 }, (_, index) => `event ${index}`);
    await appendTexts(await session(id), texts);
    const reader = await readSse(stream, { "last-event-id": "1" });
    await reader.until(() => reader.frames.length === 200);
    expect(reader.frames.map((frame) => frame.id)).toEqual(texts.map((_, index) => index + 2));
    reader.close();
  });

  test("answers 412 for what is not in the ring where a setting wants it so", async () => {
    const { stream, session, id, request } = await openSession({
      wires: [webkit({ replay: "ring", ringSize: 10 })],
    });
    await appendTexts(
      await session(id),
      Array.from({ length: 20 }, () => "x"),
    );
    const answer = await request(`/sessions/${id}/stream`, { headers: { "last-event-id": "10" } });
    expect(answer.status).toBe(412);
    expect(await detailOf(answer)).toBe("Last-Event-ID 10 evicted; oldest available is 12");
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 10);
    expect(reader.frames[0]?.id).toBe(12);
    reader.close();
  });

  test.each([
    ["abc", 400, "Last-Event-ID must be a non-negative integer"],
    ["5", 412, "Last-Event-ID 5 is beyond the log; newest available is 1"],
  ])("refuses Last-Event-ID %s before any data", async (lastEventId, status, detail) => {
    const { id, request } = await openSession();
    const headers = { "last-event-id": lastEventId };
    const answer = await request(`/sessions/${id}/stream`, { headers });
    expect([answer.status, await detailOf(answer)]).toEqual([status, detail]);
  });

  test("shows tool inputs as they are written only to clients that asked for it", async () => {
    const { url, createSession, request } = await startServer();
    const deltaTypes = async (session: object): Promise<Set<string>> => {
      const id = await createSession({ ...session });
      const reader = await readSse(`${url}/sessions/${id}/stream`);
      const message = { type: "user_message", content: "tools" };
      await request(`/sessions/${id}/input`, { json: message });
      await dataOf(reader, "turn_done");
      reader.close();
      const deltas = reader.frames.filter(({ event }) => event === "message_delta");
      return new Set(deltas.map(({ data }) => JSON.parse(data).delta.type));
    };
    expect(await deltaTypes({})).toEqual(new Set(["text"]));
    expect(await deltaTypes({ include_partial_messages: true })).toEqual(
      new Set(["text", "input_json_delta"]),
    );
  });

  test("has a comment after each 15 s of silence and does not end by it", async () => {
    const clock = new WatchedClock();
    const { stream, session, id } = await openSession({ clock });
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 1);
    await clock.beat(15);
    await reader.until(() => reader.comments.length === 1);
    await clock.beat(15);
    await reader.until(() => reader.comments.length === 2);
    await appendTexts(await session(id), ["still there"]);
    await reader.until(() => reader.frames.length === 2);
    expect(reader.comments).toEqual(["keepalive", "keepalive"]);
    reader.close();
  });

  test("ends after done when the session is deleted", async () => {
    const { stream, request, id } = await openSession();
    const reader = await readSse(stream);
    const headers = { "content-type": "application/json" };
    const answer = await request(`/sessions/${id}`, { method: "DELETE", headers });
    expect(answer.status).toBe(204);
    await reader.ended;
    expect(reader.frames.at(-1)).toMatchObject({ event: "done", data: "{}" });
    const again = await request(`/sessions/${id}/stream`);
    expect([again.status, await detailOf(again)]).toEqual([404, "Session not found"]);
  });

  test("returns its head to whoever asks only for that", async () => {
    const { request, id } = await openSession();
    const answer = await request(`/sessions/${id}/stream`, { method: "HEAD" });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("turnwire-head")).toBe("1");
  });

  test("is encoded once for all its readers, apart from the native one", async () => {
    const { stream, url, id, metric } = await openSession();
    const streams = [stream, stream, `${url}/sessions/${id}/events`];
    const readers = await Promise.all(streams.map((each) => readSse(each)));
    for (const reader of readers) await reader.until(() => reader.frames.length === 1);
    expect(await metric("turnwire_framed_logs")).toBe(2);
    for (const reader of readers) reader.close();
  });
});

describe("the input of agent-webkit's clients", () => {
  test("is 404 for a session that there is not, whatever it says", async () => {
    const { request } = await openSession();
    const answer = await request("/sessions/nope/input", { json: {} });
    expect([answer.status, await detailOf(answer)]).toEqual([404, "Session not found"]);
  });

  test("that is not JSON is 400", async () => {
    const { request, id } = await openSession();
    const headers = { "content-type": "application/json" };
    const init = { method: "POST", headers, body: "{" };
    const answer = await request(`/sessions/${id}/input`, init);
    expect(answer.status).toBe(400);
    expect(await detailOf(answer)).toBe("Invalid JSON");
  });

  test("of an unknown type or without a field is 400 and says which", async () => {
    const { input } = await openSession();
    const unknown = await input({ type: "dance" });
    expect([unknown.status, await detailOf(unknown)]).toEqual([400, "Unknown message type: dance"]);
    const partial = await input({ type: "user_message" });
    expect([partial.status, await detailOf(partial)]).toEqual([400, "Missing field: content"]);
  });

  test("that is too large is 413", async () => {
    const { input } = await openSession({ maxBodyBytes: 1000 });
    const answer = await input({ type: "user_message", content: "x".repeat(2000) });
    expect([answer.status, await codeOf(answer)]).toEqual([413, "payload_too_large"]);
  });

  test("beyond the queue is 503 with Retry-After and its code", async () => {
    const { input } = await openScripted({ maxQueue: 1 });
    const say = () => input({ type: "user_message", content: "hello" });
    const statuses = [(await say()).status, (await say()).status, (await say()).status];
    expect(statuses.slice(0, 2)).toEqual([204, 204]);
    const full = await say();
    expect(full.status).toBe(503);
    expect(full.headers.get("retry-after")).toBe("1");
    expect(await full.json()).toMatchObject({
      detail: "Inbound queue full; refuse and retry later",
      code: "backpressure",
    });
  });

  test("that a runtime cannot do is refused", async () => {
    const { request, createSession } = await startServer();
    const id = await createSession({ runtime: "plain" });
    const answer = await request(`/sessions/${id}/input`, { json: { type: "set_model" } });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "capability_missing"]);
  });
});

const asks = {
  permission: draft("permission_request", {
    correlation_id: "r1",
    tool_name: "Bash",
    tool_input: { command: "ls" },
  }),
  question: draft("question_request", {
    correlation_id: "r1",
    questions: [{ question: "Which?", options: [{ label: "a" }] }],
  }),
  hook: draft("hook_request", { correlation_id: "r1", hook_event: "Stop", hook_input: {} }),
};
const responses = {
  permission: { type: "permission_response", correlation_id: "r1", behavior: "allow" },
  question: { type: "question_response", correlation_id: "r1", answers: ["a"] },
  hook: { type: "hook_response", correlation_id: "r1", decision: {} },
};
const kinds = ["permission", "question", "hook"] as const;

/** A session whose agent asks for something. */
async function openAsking(kind: keyof typeof asks) {
  const opened = await openScripted();
  const reader = await readSse(opened.stream);
  await opened.input({ type: "user_message", content: "go" });
  const run = await opened.runtime.run();
  await run.wasAsked("send");
  run.say(asks[kind]);
  const names = {
    permission: "permission_request",
    question: "ask_user_question",
    hook: "hook_decision_request",
  };
  await dataOf(reader, names[kind]);
  reader.close();
  return { ...opened, run };
}

describe("an answer of agent-webkit's clients", () => {
  test.each(kinds)("to a %s is taken once; the later one is 409", async (kind) => {
    const { input, run } = await openAsking(kind);
    const answers = await Promise.all([input(responses[kind]), input(responses[kind])]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const late = answers.find(({ status }) => status === 409);
    expect(late && (await detailOf(late))).toBe(`No pending ${kind} for that correlation_id`);
    await run.wasAsked("answer");
    expect(run.asked.filter(({ type }) => type === "answer")).toHaveLength(1);
  });

  test.each(kinds)("to a %s that was never asked is 409", async (kind) => {
    const { input } = await openSession();
    const answer = await input(responses[kind]);
    expect(answer.status).toBe(409);
    expect(await detailOf(answer)).toBe(`No pending ${kind} for that correlation_id`);
  });

  test("of the wrong kind is 409 and leaves the request open", async () => {
    const { input } = await openAsking("permission");
    const wrong = await input(responses.question);
    expect([wrong.status, await detailOf(wrong)]).toEqual([
      409,
      "No pending question for that correlation_id",
    ]);
    expect((await input(responses.permission)).status).toBe(204);
  });

  test("that names a question by its place reaches the agent by its text", async () => {
    const { input, run } = await openAsking("question");
    await input(responses.question);
    const { answer } = await run.wasAsked("answer");
    expect(answer).toMatchObject({ answers: { "Which?": "a" } });
  });

  test("is reported to its sender before anything that comes of it", async () => {
    const { port, stream, input, runtime, id } = await openScripted();
    const reader = await readSse(stream);
    await input({ type: "user_message", content: "go" });
    const run = await runtime.run();
    const { turnId } = (await run.wasAsked("send")).input;
    run.say(asks.permission);
    await dataOf(reader, "permission_request");
    const order: string[] = [];
    const resumed = run.wasAsked("answer").then(() => run.finish(turnId));
    const ended = dataOf(reader, "result").then(() => order.push("result"));
    const body = JSON.stringify(responses.permission);
    const answered = rawRequest(
      port,
      [
        `POST /sessions/${id}/input HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        `Authorization: Bearer ${testToken}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
      ],
      body,
    ).then((answer) => order.push(String(statusOf(answer))));
    await Promise.all([resumed, ended, answered]);
    expect(order).toEqual(["204", "result"]);
    reader.close();
  });
});

describe("pages of other sites", () => {
  const origin = "https://app.example";

  test("of an allowed origin may ask everything that the clients send", async () => {
    const { request, id } = await openSession({ allowedOrigins: [origin] });
    for (const method of ["GET", "POST", "DELETE"]) {
      const answer = await request(`/sessions/${id}/stream`, {
        method: "OPTIONS",
        headers: {
          origin,
          "access-control-request-method": method,
          "access-control-request-headers": "authorization,content-type,last-event-id",
        },
      });
      expect(answer.status).toBe(204);
      expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
      expect(answer.headers.get("access-control-allow-methods")).toContain(method);
      const allowed = answer.headers.get("access-control-allow-headers")?.toLowerCase() ?? "";
      for (const name of ["authorization", "content-type", "last-event-id"]) {
        expect(allowed).toContain(name);
      }
    }
  });

  test("of any other origin are refused", async () => {
    const { request, id } = await openSession({ allowedOrigins: [origin] });
    const headers = { origin: "https://evil.example" };
    const answer = await request(`/sessions/${id}/stream`, { headers });
    expect([answer.status, await codeOf(answer)]).toEqual([403, "origin_not_allowed"]);
  });
});
