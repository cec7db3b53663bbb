import { WatchFrame, type SessionInfo } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  codeOf,
  metricIs,
  startServer,
  testToken,
  type RunningServer,
} from "../test-support/running-server.ts";
import { openSocket, refusedUpgrade } from "../test-support/socket-client.ts";
import { readSse } from "../test-support/sse-reader.ts";
import { WatchedClock } from "../test-support/watched-clock.ts";

/** A watcher, whichever way its frames come. */
interface Watcher {
  frames(): WatchFrame[];
  until(condition: () => boolean): Promise<void>;
}

type Watch = (running: RunningServer, search?: string) => Promise<Watcher>;

const watchBySse: Watch = async ({ url }, search = "") => {
  const reader = await readSse(`${url}/watch${search}`);
  onTestFinished(() => reader.close());
  const frames = () =>
    reader.frames.map(({ event, data }) => {
      const frame = WatchFrame.parse(JSON.parse(data));
      expect(event).toBe(frame.type);
      return frame;
    });
  return { frames, until: (condition) => reader.until(condition) };
};

const watchBySocket: Watch = async ({ url }, search = "") => {
  const client = await openSocket(`${url}/watch/ws${search}`);
  await client.until(() => client.messages.length > 0);
  expect(client.messages[0]).toEqual({ type: "ready" });
  const frames = () => client.messages.slice(1).map((message) => WatchFrame.parse(message));
  return { frames, until: (condition) => client.until(condition) };
};

/** The newest word on each session, as a client would keep it. */
function known(frames: readonly WatchFrame[]): Map<string, SessionInfo> {
  const sessions = new Map<string, SessionInfo>();
  for (const frame of frames) {
    if (frame.type === "sessions")
      for (const info of frame.sessions) sessions.set(info.session_id, info);
    else if (frame.type === "session_changed")
      sessions.set(frame.session.session_id, frame.session);
    else if (frame.type === "session_removed") sessions.delete(frame.session_id);
  }
  return sessions;
}

async function rename({ request }: RunningServer, id: string, title: string): Promise<void> {
  await request(`/sessions/${id}`, { method: "PATCH", json: { title } });
}

describe.each([
  ["server-sent events", watchBySse],
  ["WebSocket", watchBySocket],
])("watching sessions over %s", (_name, watch) => {
  test("begins with the newest page, as the list gives it", async () => {
    const running = await startServer();
    await running.createSession({ title: "one" });
    await running.createSession({ title: "two" });
    await running.createSession({ title: "three" });
    const watcher = await watch(running, "?limit=2");
    await watcher.until(() => watcher.frames().length > 0);
    const list: unknown = await (await running.request("/sessions?limit=2")).json();
    expect(watcher.frames()[0]).toEqual({ type: "sessions", ...(list as object) });
  });

  test("continues with what is made, changed and removed", async () => {
    const running = await startServer();
    const watcher = await watch(running);
    const id = await running.createSession({ title: "new" });
    await watcher.until(() => known(watcher.frames()).get(id)?.title === "new");
    await rename(running, id, "renamed");
    await watcher.until(() => known(watcher.frames()).get(id)?.title === "renamed");
    await running.request(`/sessions/${id}/message`, { json: { message: "/permission" } });
    const { log } = await running.session(id);
    await watcher.until(() => {
      const session = known(watcher.frames()).get(id);
      return session?.activity === "waiting" && session.head === log.head;
    });
    const info: unknown = await (await running.request(`/sessions/${id}`)).json();
    expect(known(watcher.frames()).get(id)).toEqual(info);
    await running.request(`/sessions/${id}`, { method: "DELETE" });
    await watcher.until(() => watcher.frames().at(-1)?.type === "session_removed");
    expect(known(watcher.frames()).size).toBe(0);
  });

  test("with a filter, reports which sessions come to belong to it and which do not any more", async () => {
    const running = await startServer();
    const id = await running.createSession();
    const watcher = await watch(running, "?status=archived");
    await watcher.until(() => watcher.frames().length > 0);
    expect(known(watcher.frames()).size).toBe(0);
    await running.request(`/sessions/${id}/archive`, { json: {} });
    await watcher.until(() => known(watcher.frames()).get(id)?.status === "archived");
    await running.request(`/sessions/${id}/unarchive`, { json: {} });
    await watcher.until(() => watcher.frames().at(-1)?.type === "session_removed");
  });

  test("shows no one the sessions of others", async () => {
    const running = await startServer({
      auth: {
        type: "authorize",
        authorize: ({ headers }) => ({ id: String(headers["x-user"] ?? "anna"), isAdmin: false }),
      },
    });
    const watcher = await watch(running);
    await watcher.until(() => watcher.frames().length > 0);
    await running.request("/sessions", {
      json: { title: "hidden" },
      headers: { "x-user": "bert" },
    });
    const own = await running.createSession({ title: "own" });
    await watcher.until(() => known(watcher.frames()).has(own));
    expect([...known(watcher.frames()).keys()]).toEqual([own]);
  });
});

describe("a watch", () => {
  test("of a query that means nothing is refused", async () => {
    const { request, url } = await startServer();
    expect((await request("/watch?status=asleep")).status).toBe(400);
    expect(await codeOf(await request("/watch?limit=0"))).toBe("invalid_request");
    const headers = { authorization: `Bearer ${testToken}` };
    expect(await refusedUpgrade(`${url}/watch/ws?limit=x`, { headers })).toMatchObject({
      status: 400,
    });
  });

  test("is for those who belong", async () => {
    const { url } = await startServer();
    expect((await fetch(`${url}/watch`)).status).toBe(401);
    expect(await refusedUpgrade(`${url}/watch/ws`)).toMatchObject({ status: 401 });
  });

  test("answers HEAD with the head of a stream", async () => {
    const { request } = await startServer();
    const answer = await request("/watch", { method: "HEAD" });
    expect(answer.headers.get("content-type")).toContain("text/event-stream");
  });

  test("is kept open by keepalives, which WebSocket pages see too", async () => {
    const clock = new WatchedClock();
    const running = await startServer({ clock });
    const reader = await readSse(`${running.url}/watch`);
    const client = await openSocket(`${running.url}/watch/ws`);
    await metricIs(running, "turnwire_subscribers", 2);
    await clock.beat(15);
    await reader.until(() => reader.comments.includes("keepalive"));
    await client.until(() => client.messages.length === 3);
    expect(client.messages.at(-1)).toEqual({ type: "keepalive" });
    reader.close();
  });

  test("ends when the server does, with a hint when to come back", async () => {
    const running = await startServer();
    const reader = await readSse(`${running.url}/watch`);
    const client = await openSocket(`${running.url}/watch/ws`);
    await metricIs(running, "turnwire_subscribers", 2);
    await running.server.close();
    await reader.ended;
    expect(reader.retries).toHaveLength(1);
    expect(await client.closed).toMatchObject({ code: 1001 });
  });

  test("leaves nothing behind when its reader goes", async () => {
    const running = await startServer();
    const reader = await readSse(`${running.url}/watch`);
    await metricIs(running, "turnwire_subscribers", 1);
    expect(running.host.changes.listenerCount).toBe(1);
    reader.close();
    await metricIs(running, "turnwire_subscribers", 0);
    expect(running.host.changes.listenerCount).toBe(0);
  });
});
