import { demo } from "@turnwire/runtime/demo";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import type { SessionListStore } from "./6-session/session-list-store.ts";
import type { SessionListView } from "./6-session/session-list-view.ts";
import type { SessionQuery } from "./6-session/session-api.ts";
import { createClient, type ClientOptions } from "./client.ts";

const token = "list-test-token-0123456789-abcdefghijklmnopqr";
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "turnwire-list-"));
});

afterAll(() => rm(root, { recursive: true, force: true }));

async function startServer({ store = createMemoryStore(), port = 0 } = {}) {
  const host = createSessionHost({
    store,
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [root],
  });
  const server = await createTurnwireServer({ host, auth: { type: "token", token } });
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

/** Resolves with the first view, from the present one on, that a condition holds for. */
function until(
  list: SessionListStore,
  condition: (view: SessionListView) => boolean,
): Promise<SessionListView> {
  return new Promise((resolve) => {
    const look = (): void => {
      const view = list.getState();
      if (!condition(view)) return;
      stop();
      resolve(view);
    };
    const stop = list.subscribe(look);
    look();
  });
}

function titlesOf({ sessions }: SessionListView): (string | undefined)[] {
  return sessions.map(({ title }) => title);
}

describe.each(Object.entries(transports))("a live list over %s", (_name, transport) => {
  async function setUp(query?: SessionQuery) {
    const running = await startServer();
    const client = createClient({ url: running.url, token, random: () => 0, ...transport });
    const open = (): SessionListStore => {
      const list = client.openSessionList(query);
      onTestFinished(() => list.close());
      return list;
    };
    return { ...running, client, open };
  }

  test("follows what is made, said, asked and removed", async () => {
    const { client, open } = await setUp();
    const list = open();
    expect(list.getState().status).toBe("loading");
    await until(list, ({ status }) => status === "live");
    const { session_id } = await client.sessions.create({ title: "one" });
    await until(list, (view) => titlesOf(view).includes("one"));
    await client.sessions.message(session_id, { message: "/permission" });
    await until(list, ({ sessions }) => sessions[0]?.activity === "waiting");
    // Until it is answered nothing more happens in it, so both come to show its last event.
    const shown = async () => {
      const info = await client.sessions.get(session_id);
      const listed = await until(list, ({ sessions }) => (sessions[0]?.head ?? 0) >= info.head);
      return { info, listed: listed.sessions[0] };
    };
    let latest = await shown();
    while (latest.listed?.head !== latest.info.head) latest = await shown();
    expect(latest.listed).toEqual(latest.info);
    await client.sessions.delete(session_id);
    await until(list, ({ sessions }) => sessions.length === 0);
  });

  test("loads older pages, and keeps its length when its line is mended", async () => {
    const { client, open, server, store, port } = await setUp({ limit: 2 });
    for (const title of ["1", "2", "3", "4", "5"]) await client.sessions.create({ title });
    const list = open();
    const first = await until(list, ({ status }) => status === "live");
    expect(titlesOf(first)).toEqual(["5", "4"]);
    expect(first.hasMore).toBe(true);
    await Promise.all([list.loadMore(), list.loadMore()]);
    expect(titlesOf(list.getState())).toEqual(["5", "4", "3", "2"]);
    await list.loadMore();
    await list.loadMore();
    expect(titlesOf(list.getState())).toEqual(["5", "4", "3", "2", "1"]);
    expect(list.getState().hasMore).toBe(false);

    await server.close();
    await until(list, ({ status }) => status === "waiting");
    await startServer({ store, port });
    await until(list, ({ status }) => status === "live");
    expect(list.getState().sessions).toHaveLength(5);
  });

  test("does not bring back what was removed while an older page was on its way", async () => {
    const { client, url } = await setUp();
    const old = await client.sessions.create({ title: "old" });
    await client.sessions.create({ title: "new" });
    const page = { isRead: () => {}, mayCome: () => {} };
    const isRead = new Promise<void>((resolve) => {
      page.isRead = resolve;
    });
    const mayCome = new Promise<void>((resolve) => {
      page.mayCome = resolve;
    });
    const slow = createClient({
      url,
      token,
      ...transport,
      fetch: async (address, init) => {
        const response = await fetch(address, init);
        if (!address.includes("/sessions?")) return response;
        page.isRead();
        await mayCome;
        return response;
      },
    });
    const list = slow.openSessionList({ limit: 1 });
    onTestFinished(() => list.close());
    await until(list, ({ hasMore }) => hasMore);
    const loading = list.loadMore();
    await isRead;
    await client.sessions.delete(old.session_id);
    await client.sessions.create({ title: "newest" });
    await until(list, (view) => titlesOf(view).includes("newest"));
    page.mayCome();
    await loading;
    expect(titlesOf(list.getState())).toEqual(["newest", "new"]);
  });

  test("can be requested again, and stays the same object where nothing is new", async () => {
    const { client, open } = await setUp();
    await client.sessions.create({ title: "still" });
    const list = open();
    const before = await until(list, ({ status }) => status === "live");
    list.refresh();
    await until(list, ({ status }) => status === "waiting");
    const after = await until(list, ({ status }) => status === "live");
    expect(after.sessions[0]).toBe(before.sessions[0]);
  });

  test("with a filter has only what fits, from now on too", async () => {
    const { client, open } = await setUp({ status: "archived" });
    const { session_id } = await client.sessions.create({ title: "old" });
    const list = open();
    await until(list, ({ status }) => status === "live");
    await client.sessions.archive(session_id);
    await until(list, (view) => titlesOf(view).includes("old"));
    await client.sessions.unarchive(session_id);
    const { status } = await until(list, ({ sessions }) => sessions.length === 0);
    expect(status).toBe("live");
  });

  test("fails for good where the token is wrong, and works again once it is requested again", async () => {
    const { url } = await setUp();
    const stranger = createClient({ url, token: "wrong", ...transport });
    const list = stranger.openSessionList();
    const { error } = await until(list, ({ status }) => status === "failed");
    expect(error).toMatchObject({ status: 401 });
    list.refresh();
    await until(list, ({ status }) => status !== "failed");
    list.close();
  });

  test("says no more once it is closed", async () => {
    const { client, open } = await setUp();
    const list = open();
    const last = await until(list, ({ status }) => status === "live");
    list.close();
    await client.sessions.create();
    expect(list.getState()).toBe(last);
  });
});
