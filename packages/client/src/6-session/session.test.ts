import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { encodeSseFrame, foldAll, initialState, type SessionEvent } from "@turnwire/protocol";
import { createClient, type ClientOptions } from "../client.ts";
import { createHastyPlatform } from "../test-support/hasty-platform.ts";
import {
  closed,
  done,
  notice,
  permissionAsked,
  permissionResolved,
  placed,
  ready,
  userMessage,
  sampleLog,
  toolCalled,
  toolCallResolved,
  turnStarted,
} from "../test-support/sample-event.ts";
import { ScriptedServer } from "../test-support/scripted-server.ts";
import type { OpenSessionOptions } from "./session.ts";

let server: ScriptedServer;
let sessionCount = 0;

beforeAll(async () => {
  server = await ScriptedServer.start();
});

afterAll(() => server.close());

interface SetUp {
  readonly log?: readonly SessionEvent[];
  readonly open?: OpenSessionOptions;
  readonly client?: Partial<ClientOptions>;
}

/** A session on the server, and a client that follows it from its beginning. */
function setUp({ log = placed([ready]), open = { start: "beginning" }, client }: SetUp = {}) {
  const id = `s${++sessionCount}`;
  const remote = server.addSession(id, log);
  const { platform, waits, errors } = createHastyPlatform();
  const options = { url: server.url, token: server.token, ...platform, ...client };
  const start = () => {
    const session = createClient(options).openSession(id, open);
    onTestFinished(() => session.close());
    return session;
  };
  return { id, remote, start, waits, errors };
}

const isLive = ({ connection }: { connection: { status: string } }) => connection.status === "live";

describe("an open session", () => {
  test("comes to the state of the log and stays with it", async () => {
    const { remote, start } = setUp({ log: sampleLog(50) });
    const session = start();
    await session.waitFor(isLive);
    expect(session.getState().session).toEqual(remote.state);
    remote.append(notice("live"));
    await session.waitFor((view) => view.session.seq === 51);
    expect(session.getState().session).toEqual(remote.state);
  });

  test("starts from a snapshot by default, and so reads no old events", async () => {
    const { id, remote, start } = setUp({ log: sampleLog(50), open: {} });
    const session = start();
    await session.waitFor(isLive);
    expect(session.getState().session).toEqual(remote.state);
    const [events] = server.seenAt(`/${id}/events`);
    expect(events?.headers["last-event-id"]).toBe("50");
    expect(events?.query.get("epoch")).toBe("e1");
  });

  test("starts from a snapshot that is already there", async () => {
    const log = sampleLog(9);
    const state = foldAll(initialState(), log.slice(0, 6));
    const open = { start: { seq: 6, epoch: "e1", state } };
    const { id, remote, start } = setUp({ log, open });
    const session = start();
    expect(session.getState().session).toBe(state);
    await session.waitFor(isLive);
    expect(session.getState().session).toEqual(remote.state);
    expect(server.seenAt(`/${id}/snapshot`)).toEqual([]);
  });

  test("comes back after the server let everybody go, and waits as the server asks", async () => {
    const { remote, start, waits } = setUp();
    const session = start();
    await session.waitFor(isLive);
    remote.endStreams(encodeSseFrame({ retry: 1_000 }));
    await session.waitFor(({ connection }) => connection.status === "waiting");
    remote.append(notice("while away"));
    await session.waitFor((view) => isLive(view) && view.session.seq === 2);
    expect(waits).toEqual([1_125]);
  });

  test("takes a snapshot where retention has removed what it misses", async () => {
    const { id, remote, start } = setUp({ log: sampleLog(30) });
    remote.trimmed = 20;
    const session = start();
    await session.waitFor(isLive);
    expect(session.getState().session).toEqual(remote.state);
    expect(server.seenAt(`/${id}/snapshot`)).toHaveLength(1);
    remote.append(notice("live"));
    await session.waitFor((view) => view.session.seq === 31);
    expect(session.getState().session).toEqual(remote.state);
  });

  test("takes a snapshot where the log was lost and has another epoch", async () => {
    const { remote, start, id } = setUp({ log: sampleLog(30) });
    const session = start();
    await session.waitFor(isLive);
    const restored = server.addSession(id, sampleLog(12));
    restored.epoch = "e2";
    remote.endStreams();
    await session.waitFor((view) => isLive(view) && view.session.seq === 12);
    expect(session.getState().session).toEqual(restored.state);
  });

  test("fails for good with the server's words where it is not let in", async () => {
    const { id, start } = setUp({ client: { token: "wrong" } });
    const session = start();
    await expect(session.waitFor(isLive)).rejects.toMatchObject({
      code: "wire",
      status: 401,
      error: { code: "unauthorized" },
    });
    expect(session.getState().connection.status).toBe("failed");
    expect(server.seenAt(`/${id}/events`)).toHaveLength(1);
  });

  test("is over when the session is closed", async () => {
    const { remote, start, id } = setUp();
    const session = start();
    await session.waitFor(isLive);
    remote.append(closed);
    await session.waitFor(({ connection }) => connection.status === "closed");
    expect(session.getState().session.session.is_closed).toBe(true);
    expect(server.seenAt(`/${id}/events`)).toHaveLength(1);
  });

  test("lets go of its stream when it is closed", async () => {
    const { remote, start } = setUp();
    const session = start();
    await session.waitFor(isLive);
    expect(remote.streamCount).toBe(1);
    const gone = remote.whenStreamless();
    session.close();
    await gone;
    expect(session.getState().connection.status).toBe("closed");
  });

  test("survives events that a newer server knows and it does not", async () => {
    const { remote, start, errors } = setUp();
    const session = start();
    await session.waitFor(isLive);
    remote.write('data: {"seq":2,"ts":"now","type":"telepathy","data":{"strength":9}}\n\n');
    await session.waitFor((view) => view.session.seq === 2);
    expect(errors).toEqual([]);
    expect(session.getState().connection.status).toBe("live");
  });
});

describe("sending", () => {
  test("shows the message at once, and as sent when the log has it", async () => {
    const { start } = setUp();
    const session = start();
    await session.waitFor(isLive);
    const accepted = session.send("hello", { client_message_id: "c1" });
    expect(session.getState().sending["c1"]).toEqual({
      client_message_id: "c1",
      content: "hello",
      delivery: "turn",
      status: "pending",
    });
    expect(await accepted).toEqual({ accepted: true, message_id: "m-hello", seq: 2 });
    const view = await session.waitFor(({ sending }) => sending["c1"]?.status === "sent");
    expect(view.session.messages).toMatchObject([{ role: "user", client_message_id: "c1" }]);
  });

  test("shows a message as on its way while it waits for the session's host", async () => {
    const { id, remote, start } = setUp();
    const session = start();
    await session.waitFor(isLive);
    const body = { accepted: true, message_id: "m1", seq: remote.head, is_pending: true };
    server.fail(`/${id}/message`, { type: "answer", status: 202, body: JSON.stringify(body) });
    expect(await session.send("hello", { client_message_id: "c1" })).toEqual(body);
    expect(session.getState().sending["c1"]?.status).toBe("pending");
    await session.send("hello", { client_message_id: "c1" });
    await session.waitFor(({ sending }) => sending["c1"]?.status === "sent");
  });

  test("tries again under the same id, so that a lost answer sends nothing twice", async () => {
    const { id, remote, start, waits } = setUp();
    const path = `/${id}/message`;
    server.fail(
      path,
      { type: "drop_before" },
      { type: "drop_after" },
      { type: "answer", status: 503, headers: { "retry-after": "2" } },
      { type: "answer", status: 429 },
    );
    const accepted = await start().send("hello");
    expect(accepted).toMatchObject({ seq: 2, duplicate: true });
    expect(remote.head).toBe(2);
    const ids = server
      .seenAt(path)
      .map(({ body }) => (body as Record<string, unknown>)["client_message_id"]);
    expect(ids).toHaveLength(5);
    expect(new Set(ids).size).toBe(1);
    expect(waits).toEqual([125, 250, 2_500, 1_000]);
  });

  test("that fails says so, and can be tried again under the same id", async () => {
    const { id, start } = setUp({ client: { sendAttempts: 2 } });
    const session = start();
    server.fail(`/${id}/message`, { type: "drop_before" }, { type: "drop_before" });
    await expect(session.send("hello", { client_message_id: "c1" })).rejects.toMatchObject({
      code: "network",
    });
    expect(session.getState().sending["c1"]).toMatchObject({
      status: "failed",
      error: { code: "network" },
    });
    await session.send("hello", { client_message_id: "c1" });
    await session.waitFor(({ sending }) => sending["c1"]?.status === "sent");
    expect(session.getState().sending["c1"]?.error).toBeUndefined();
  });

  test("other words under a used id fail at once", async () => {
    const { id, start } = setUp();
    const session = start();
    await session.send("hello", { client_message_id: "c1" });
    await expect(session.send("goodbye", { client_message_id: "c1" })).rejects.toMatchObject({
      error: { code: "idempotency_conflict" },
    });
    expect(server.seenAt(`/${id}/message`)).toHaveLength(2);
  });

  test("that failed can be sent once more, exactly as it was", async () => {
    const { id, start } = setUp({ client: { sendAttempts: 1 } });
    const session = start();
    const path = `/${id}/message`;
    server.fail(path, { type: "drop_after" });
    const said = { client_message_id: "c1", delivery: "queue", context: { page: "/a" } } as const;
    await expect(session.send("hello", said)).rejects.toMatchObject({ code: "network" });
    expect(await session.resend("c1")).toMatchObject({ duplicate: true });
    const [first, second] = server.seenAt(path);
    expect(second?.body).toEqual(first?.body);
    await session.waitFor(({ sending }) => sending["c1"]?.status === "sent");
    await expect(session.resend("c1")).rejects.toMatchObject({ code: "aborted" });
  });

  test("predicts how the message is delivered: a turn, or a place in the queue", async () => {
    const { start } = setUp({ log: placed([ready, userMessage("first"), turnStarted("t1")]) });
    const session = start();
    await session.waitFor(isLive);
    const sending = [
      session.send("waits", { client_message_id: "c1" }),
      session.send("steers", { client_message_id: "c2", delivery: "steer" }),
      session.send("insists", { client_message_id: "c3", delivery: "turn" }),
      session.execute({ type: "steer", content: "joins", client_message_id: "c4" }),
    ];
    const deliveries = Object.values(session.getState().sending).map(({ delivery }) => delivery);
    expect(deliveries).toEqual(["queue", "steer", "turn", "steer"]);
    await Promise.all(sending);
  });

  test("takes back a message that waits by its id in the log", async () => {
    const { id, start } = setUp();
    const session = start();
    await session.withdraw("m-waiting");
    expect(server.seenAt(`/${id}/commands`).map(({ body }) => body)).toEqual([
      { type: "cancel_message", message_id: "m-waiting" },
    ]);
  });

  test("that failed can be discarded", async () => {
    const { id, start } = setUp({ client: { sendAttempts: 1 } });
    const session = start();
    server.fail(`/${id}/message`, { type: "drop_before" });
    await expect(session.send("hello", { client_message_id: "c1" })).rejects.toMatchObject({
      code: "network",
    });
    session.discard("c1");
    expect(session.getState().sending).toEqual({});
    await expect(session.resend("c1")).rejects.toMatchObject({ code: "aborted" });
  });

  test("can be given up", async () => {
    const { id, start } = setUp();
    const session = start();
    const abort = new AbortController();
    server.fail(`/${id}/message`, { type: "hang" });
    const sending = session.send("hello", { client_message_id: "c1", signal: abort.signal });
    abort.abort();
    await expect(sending).rejects.toMatchObject({ code: "aborted" });
    expect(session.getState().sending["c1"]?.status).toBe("failed");
  });
});

describe("answering a request", () => {
  const log = placed([ready, turnStarted("t1"), permissionAsked("p1")]);

  test("goes from requested over responding to resolved", async () => {
    const { start } = setUp({ log });
    const session = start();
    await session.waitFor(isLive);
    expect(session.getState().requests).toEqual({ p1: { status: "requested" } });
    const answered = session.respondToPermission("p1", { behavior: "allow" });
    expect(session.getState().requests).toEqual({ p1: { status: "responding" } });
    await answered;
    await session.waitFor(({ requests }) => requests["p1"]?.status === "resolved");
    expect(session.getState().requests).toEqual({
      p1: { status: "resolved", outcome: "answered" },
    });
  });

  test("that somebody else answered first is a conflict", async () => {
    const { remote, start } = setUp({ log });
    const session = start();
    await session.waitFor(isLive);
    remote.append(permissionResolved("p1"));
    await expect(session.respondToPermission("p1", { behavior: "deny" })).rejects.toMatchObject({
      error: { code: "already_resolved" },
    });
    await session.waitFor(({ requests }) => requests["p1"]?.outcome === "answered");
    expect(session.getState().requests["p1"]).toMatchObject({ status: "conflict" });
  });

  test("that did not get through can be done again", async () => {
    const { id, start } = setUp({ log });
    const session = start();
    await session.waitFor(isLive);
    server.fail(`/${id}/commands`, { type: "drop_before" });
    await expect(session.respondToPermission("p1", { behavior: "allow" })).rejects.toMatchObject({
      code: "network",
    });
    expect(session.getState().requests["p1"]).toMatchObject({
      status: "requested",
      error: { code: "network" },
    });
    await session.respondToPermission("p1", { behavior: "allow" });
    await session.waitFor(({ requests }) => requests["p1"]?.status === "resolved");
  });

  describe("of a tool", () => {
    const called = placed([ready, turnStarted("t1"), toolCalled("c1")]);

    test("is tried again, and is not a conflict where a lost try had arrived", async () => {
      const { id, remote, start } = setUp({ log: called });
      const session = start();
      await session.waitFor(isLive);
      server.fail(`/${id}/commands`, { type: "drop_before" }, { type: "drop_after" });
      await expect(session.respondToToolCall("c1", { output: 7 })).rejects.toMatchObject({
        error: { code: "already_resolved" },
        cause: { code: "network" },
      });
      await session.waitFor(({ requests }) => requests["c1"]?.outcome === "answered");
      expect(session.getState().requests["c1"]?.status).toBe("resolved");
      expect(server.seenAt(`/${id}/commands`)).toHaveLength(3);
      expect(remote.head).toBe(4);
    });

    test("is a conflict where its first try comes too late", async () => {
      const { remote, start } = setUp({ log: called });
      const session = start();
      await session.waitFor(isLive);
      remote.append(toolCallResolved("c1"));
      await expect(session.respondToToolCall("c1", { output: 7 })).rejects.toMatchObject({
        status: 409,
      });
      await session.waitFor(({ requests }) => requests["c1"]?.outcome === "answered");
      expect(session.getState().requests["c1"]?.status).toBe("conflict");
    });
  });

  test("speaks the words of each kind of request", async () => {
    const { id, start } = setUp({ log });
    const session = start();
    await session.respondToQuestion("q1", { answers: { "Which?": "That" } });
    await session.respondToHook("h1", { decision: { continue: true } });
    await session.respondToInterrupt("i1", { value: 7 });
    await session.respondToToolCall("c1", { output: "done", is_error: false });
    expect(server.seenAt(`/${id}/commands`).map(({ body }) => body)).toEqual([
      { type: "question_response", correlation_id: "q1", answers: { "Which?": "That" } },
      { type: "hook_response", correlation_id: "h1", decision: { continue: true } },
      { type: "interrupt_response", interrupt_id: "i1", value: 7 },
      { type: "tool_call_response", correlation_id: "c1", output: "done", is_error: false },
    ]);
  });
});

describe("interrupting", () => {
  test("is shown until the turn is done", async () => {
    const { start } = setUp({ log: placed([ready, turnStarted("t1")]) });
    const session = start();
    await session.waitFor(isLive);
    const interrupted = session.interrupt();
    expect(session.getState().isCancelling).toBe(true);
    await interrupted;
    await session.waitFor((view) => !view.isCancelling);
    expect(session.getState().session.turn).toBeNull();
  });

  test("that failed is not shown", async () => {
    const { id, start } = setUp({ log: placed([ready, turnStarted("t1")]) });
    const session = start();
    await session.waitFor(isLive);
    server.fail(`/${id}/stop`, { type: "drop_before" });
    await expect(session.interrupt()).rejects.toMatchObject({ code: "network" });
    expect(session.getState().isCancelling).toBe(false);
  });
});

describe("any command", () => {
  test("is followed in the view as if its method had been called", async () => {
    const { id, start } = setUp({ log: placed([ready, turnStarted("t1"), permissionAsked("p1")]) });
    const session = start();
    await session.waitFor(isLive);
    await session.execute({ type: "user_message", content: "hi", client_message_id: "c1" });
    await session.execute({
      type: "permission_response",
      correlation_id: "p1",
      behavior: "allow",
    });
    await session.execute({ type: "interrupt" });
    expect(session.getState().isCancelling).toBe(true);
    await session.execute({ type: "rename", title: "New" });
    await session.waitFor(
      ({ sending, requests }) =>
        sending["c1"]?.status === "sent" && requests["p1"]?.status === "resolved",
    );
    expect(server.seenAt(`/${id}/message`)).toHaveLength(1);
    expect(server.seenAt(`/${id}/commands`).map(({ body }) => body)).toMatchObject([
      { type: "permission_response" },
      { type: "interrupt" },
      { type: "rename", title: "New" },
    ]);
  });
});

describe("waiting for a view", () => {
  test("takes the present one if it will do", async () => {
    const session = setUp().start();
    expect(await session.waitFor(() => true)).toBe(session.getState());
  });

  test("ends with the caller's patience", async () => {
    const session = setUp().start();
    const abort = new AbortController();
    const waiting = session.waitFor(() => false, { signal: abort.signal });
    abort.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await expect(session.waitFor(() => false, { timeoutMs: 5 })).rejects.toMatchObject({
      code: "timeout",
    });
  });

  test("rejects when the session is not followed any more", async () => {
    const { remote, start } = setUp();
    const session = start();
    const waiting = session.waitFor(() => false);
    session.close();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(remote.head).toBe(1);
  });

  test("rejects with what the predicate throws", async () => {
    const { remote, start } = setUp();
    const session = start();
    await session.waitFor(isLive);
    const waiting = session.waitFor(({ session: { seq } }) => {
      if (seq > 1) throw new Error("a bug in the app");
      return false;
    });
    remote.append(notice(), done("t0"));
    await expect(waiting).rejects.toThrow("a bug in the app");
  });
});
