import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { SessionEvent } from "@turnwire/protocol";
import type { SessionView } from "./6-session/session-view.ts";
import { createClient, type ClientOptions } from "./client.ts";

const token = "client-test-token-0123456789-abcdefghijklmnop";
const errors: unknown[] = [];
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwire-client-"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

/** A real server with the demo agent; given a store and a port it takes up where another one left. */
async function startServer({ store = createMemoryStore(), port = 0, retainEvents = 100_000 } = {}) {
  const host = createSessionHost({
    store,
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [root],
    retainEvents,
    onError: (error) => errors.push(error),
  });
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token },
    onError: (error) => errors.push(error),
  });
  const listening = await server.listen({ port });
  onTestFinished(() => server.close());
  return { server, store, ...listening };
}

const transports: Record<string, Partial<ClientOptions>> = {
  "server-sent events": { transport: "sse" },
  WebSocket: {
    transport: "websocket",
    createWebSocket: (url, protocols) => new WebSocket(url, protocols),
  },
};

function isAnswered(messageId: string) {
  return ({ session }: SessionView): boolean =>
    session.turn === null &&
    session.queue.length === 0 &&
    session.messages.some(({ id }) => id === messageId);
}

describe.each(Object.entries(transports))("over %s", (_name, transport) => {
  test("a conversation with the demo agent: said, asked, answered, done", async () => {
    const { url } = await startServer();
    const client = createClient({ url, token, random: () => 0, ...transport });
    const { session_id } = await client.sessions.create({ title: "Trial" });
    const session = client.openSession(session_id);
    onTestFinished(() => session.close());
    await session.waitFor(({ connection }) => connection.status === "live");

    const { message_id } = await session.send("/permission");
    const asked = await session.waitFor(({ requests }) =>
      Object.values(requests).some(({ status }) => status === "requested"),
    );
    const [requestId = ""] = Object.keys(asked.session.requests);
    await session.respondToPermission(requestId, { behavior: "allow" });
    const view = await session.waitFor(isAnswered(message_id));

    expect(view.requests[requestId]).toEqual({ status: "resolved", outcome: "answered" });
    expect(Object.values(view.sending)).toMatchObject([{ status: "sent" }]);
    const { seq, state } = await client.sessions.snapshot(session_id);
    await session.waitFor((latest) => latest.session.seq >= seq);
    expect(session.getState().session).toEqual(state);
    expect(errors).toEqual([]);
  });

  test("a raw tail gives what the pages of the log give", async () => {
    const { url } = await startServer();
    const client = createClient({ url, token, ...transport });
    const { session_id } = await client.sessions.create();
    const session = client.openSession(session_id);
    const { message_id } = await session.send("/markdown");
    await session.waitFor(isAnswered(message_id));
    session.close();
    const { events, head } = await client.sessions.eventPage(session_id, { limit: 1_000 });
    const read: SessionEvent[] = [];
    for await (const event of client.events(session_id)) {
      read.push(event);
      if (event.seq === head) break;
    }
    expect(read).toEqual(events);
  });

  test("a restart of the server is survived: nothing lost, nothing twice", async () => {
    const first = await startServer();
    const client = createClient({ url: first.url, token, random: () => 0, ...transport });
    const { session_id } = await client.sessions.create();
    const session = client.openSession(session_id);
    onTestFinished(() => session.close());
    const before = await session.send("/plan");
    await session.waitFor(isAnswered(before.message_id));

    await first.server.close();
    await session.waitFor(({ connection }) => connection.status !== "live");
    await startServer({ store: first.store, port: first.port });
    await session.waitFor(({ connection }) => connection.status === "live");
    const after = await session.send("/thinking");
    await session.waitFor(isAnswered(after.message_id));

    const { seq, state } = await client.sessions.snapshot(session_id);
    await session.waitFor((view) => view.session.seq >= seq);
    expect(session.getState().session).toEqual(state);
  });

  test("a deleted session is the end, and an unknown one a final failure", async () => {
    const { url } = await startServer();
    const client = createClient({ url, token, ...transport });
    const { session_id } = await client.sessions.create();
    const session = client.openSession(session_id);
    await session.waitFor(({ connection }) => connection.status === "live");
    await client.sessions.delete(session_id);
    await session.waitFor(({ connection }) => connection.status === "closed");
    expect(session.getState().session.session.is_closed).toBe(true);
    const unknown = client.events(session_id)[Symbol.asyncIterator]();
    await expect(unknown.next()).rejects.toMatchObject({ status: 404 });
  });

  test("a wrong token is a final failure", async () => {
    const { url } = await startServer();
    const { session_id } = await createClient({ url, token }).sessions.create();
    const stranger = createClient({ url, token: "wrong", ...transport });
    const events = stranger.events(session_id)[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject({
      status: 401,
      error: { code: "unauthorized" },
    });
  });
});
