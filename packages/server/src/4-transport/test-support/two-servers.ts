import type { SessionEvent, SessionInfo, SessionList, WatchFrame } from "@turnwire/protocol";
import type { Store } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { openKit } from "../../../../wire-kit/src/test-support/kit-client.ts";
import { codeOf, type RunningServer, startServer } from "./running-server.ts";
import { openSocket } from "./socket-client.ts";
import { readSse, type SseReader } from "./sse-reader.ts";

/** Opens the store of one of several hosts that share it. */
export type OpenShared = () => Promise<{ readonly open: () => Promise<Store> }>;

interface Servers {
  /** Runs the session. */
  readonly home: RunningServer;
  /** Another host of the same store. */
  readonly away: RunningServer;
  readonly id: string;
}

export async function openServers(openShared: OpenShared): Promise<Servers> {
  const shared = await openShared();
  const start = async (): Promise<RunningServer> =>
    startServer({ hostOptions: { store: await shared.open(), leaseMs: 60_000 } });
  const home = await start();
  const away = await start();
  return { home, away, id: await home.createSession({ title: "shared" }) };
}

export async function follow({ url }: RunningServer, path: string): Promise<SseReader> {
  const reader = await readSse(`${url}${path}`);
  onTestFinished(() => reader.close());
  expect(reader.response.statusCode).toBe(200);
  return reader;
}

export function eventsOf(reader: SseReader): SessionEvent[] {
  return reader.frames.map(({ data }): SessionEvent => JSON.parse(data));
}

export async function untilEvent(
  reader: SseReader,
  type: SessionEvent["type"],
): Promise<SessionEvent> {
  const find = () => eventsOf(reader).find((event) => event.type === type);
  await reader.until(() => find() !== undefined);
  const event = find();
  if (!event) throw new Error(`no ${type}`);
  return event;
}

async function say(server: RunningServer, id: string, message: string): Promise<void> {
  const sent = await server.request(`/sessions/${id}/message`, { json: { message } });
  expect([sent.status, await sent.json()]).toMatchObject([202, { accepted: true }]);
}

/** What a client on one host may expect of a session that another host runs, whichever store they share. */
export function describeTwoServers(name: string, openShared: OpenShared): void {
  describe(`two servers over one ${name}`, () => {
    test("stream the same events of a session, live and again, whoever runs it", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await say(away, id, "/tools");
      await untilEvent(live, "done");
      const own = await follow(home, `/sessions/${id}/events`);
      await untilEvent(own, "done");
      const again = await follow(away, `/sessions/${id}/events`);
      await untilEvent(again, "done");
      const upToDone = (reader: SseReader) =>
        reader.frames.slice(0, eventsOf(reader).findIndex(({ type }) => type === "done") + 1);
      expect(upToDone(live)).toEqual(upToDone(own));
      expect(upToDone(again)).toEqual(upToDone(own));
      expect(upToDone(live).map((frame) => frame.id)).toEqual(
        upToDone(live).map((_, index) => index + 1),
      );
    });

    test("show the same session: page, state, info, list, search", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await say(away, id, "an unusual sentence");
      await untilEvent(live, "done");
      const answers = async ({ request }: RunningServer) => {
        const headers = { accept: "application/json" };
        const read = async (path: string): Promise<unknown> =>
          (await request(path, { headers })).json();
        const list = (await read("/sessions")) as SessionList;
        const found = (await read("/sessions/search?q=unusual")) as { results: unknown[] };
        return {
          info: (await read(`/sessions/${id}`)) as SessionInfo,
          page: await read(`/sessions/${id}/events?limit=1000`),
          snapshot: await read(`/sessions/${id}/snapshot`),
          listed: list.sessions.map(({ session_id: listed, title }) => [listed, title]),
          found: found.results.length,
        };
      };
      const here = await answers(away);
      expect(here).toEqual(await answers(home));
      expect(here).toMatchObject({ listed: [[id, "shared"]], found: 1 });
      expect(here.info.title).toBe("shared");
    });

    test("take commands over WebSocket and answer as the host that runs it", async () => {
      const { away, id } = await openServers(openShared);
      const socket = await openSocket(`${away.url}/sessions/${id}/ws?after=0`);
      socket.send({ id: 1, command: { type: "rename", title: "from away" } });
      socket.send({ id: 2, command: { type: "rollback", turn_id: "none" } });
      const answered = () =>
        socket.messages.filter(({ type }) => type === "ack" || type === "rejected");
      await socket.until(() => answered().length === 2);
      expect(answered()).toMatchObject([
        { type: "ack", id: 1, seq: 2 },
        { type: "rejected", id: 2, error: { code: "invalid_request" } },
      ]);
      await socket.until(() => socket.messages.some(({ type }) => type === "session_updated"));
    });

    test("let one of two answers win that are given at the same instant", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await say(away, id, "/permission");
      const asked = await untilEvent(live, "permission_request");
      if (asked.type !== "permission_request") throw new Error("no request");
      const { correlation_id } = asked.data;
      const answer = ({ request }: RunningServer, behavior: string) =>
        request(`/sessions/${id}/commands`, {
          json: { type: "permission_response", correlation_id, behavior },
        });
      const answers = await Promise.all([answer(away, "allow"), answer(home, "deny")]);
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([202, 409]);
      const loser = answers.find(({ status }) => status === 409);
      expect(loser && (await codeOf(loser))).toBe("already_resolved");
      await untilEvent(live, "done");
      const resolved = eventsOf(live).filter(({ type }) => type === "permission_resolved");
      expect(resolved).toHaveLength(1);
      const winner = answers.findIndex(({ status }) => status === 202);
      expect(resolved[0]?.data).toMatchObject({ allowed: winner === 0 });
    });

    test("delete it from either: streams end with its last event", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      const watched = await follow(home, "/watch");
      expect((await away.request(`/sessions/${id}`, { method: "DELETE" })).status).toBe(204);
      await live.ended;
      expect(eventsOf(live).at(-1)?.type).toBe("session_closed");
      for (const { request } of [home, away]) {
        expect((await request(`/sessions/${id}`)).status).toBe(404);
      }
      await watched.until(() => watched.frames.some(({ event }) => event === "session_removed"));
    });

    test("report to whoever watches the list what any host does", async () => {
      const { home, away, id } = await openServers(openShared);
      const watched = await follow(away, "/watch");
      const words = () => watched.frames.map(({ data }): WatchFrame => JSON.parse(data));
      const titled = (title: string) => () =>
        words().some((frame) => frame.type === "session_changed" && frame.session.title === title);
      await home.request(`/sessions/${id}`, { method: "PATCH", json: { title: "renamed" } });
      await watched.until(titled("renamed"));
      const made = await home.createSession({ title: "made at home" });
      await watched.until(titled("made at home"));
      await home.request(`/sessions/${made}`, { method: "DELETE" });
      await watched.until(() =>
        words().some((frame) => frame.type === "session_removed" && frame.session_id === made),
      );
      const removals = words().filter(({ type }) => type === "session_removed");
      expect(removals).toHaveLength(1);
    });

    test("serve its attachments", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await say(away, id, "/huge");
      await untilEvent(live, "done");
      const [attachment] = eventsOf(live).flatMap(({ attachments = [] }) => attachments);
      const path = `/sessions/${id}/attachments/${attachment?.digest}`;
      const bytes = async ({ request }: RunningServer) => {
        const answer = await request(path);
        expect(answer.status).toBe(200);
        return Buffer.from(await answer.arrayBuffer()).length;
      };
      expect(await bytes(away)).toBe(await bytes(home));
    });

    test("speak every wire language of it", async () => {
      const { home, away, id } = await openServers(openShared);
      const lines = await follow(away, `/sessions/${id}/events?dialect=stream-json`);
      const webkit = await follow(away, `/sessions/${id}/stream`);
      const sent = await away.request(`/sessions/${id}/input`, {
        json: { type: "user_message", content: "/tools" },
      });
      expect(sent.status).toBe(204);
      await lines.until(() => lines.frames.some(({ data }) => data.includes('"type":"result"')));
      await webkit.until(() =>
        webkit.frames.some(({ event }) => event === "message_complete" || event === "result"),
      );
      const kit = await openKit(away.url);
      kit.say("resume", { sessionId: id });
      await kit.frame("messages_updated");
      kit.say("chat", { content: "once more", sessionId: id });
      await kit.frame("message_added", { message: { type: "result" } });
      const counted = (await (await home.request(`/sessions/${id}/snapshot`)).json()) as {
        state: { messages: { role: string }[] };
      };
      expect(counted.state.messages.filter(({ role }) => role === "user")).toHaveLength(2);
    });

    test("copy it, stop it, archive it and wake it from away", async () => {
      const { home, away, id } = await openServers(openShared);
      const live = await follow(away, `/sessions/${id}/events`);
      await say(away, id, "/permission");
      await untilEvent(live, "permission_request");
      const post = (path: string, body: object = {}) =>
        away.request(`/sessions/${id}/${path}`, { json: body });
      expect((await post("stop")).status).toBe(202);
      await untilEvent(live, "done");
      const copied = await post("fork");
      expect(copied.status).toBe(201);
      const copy = (await copied.json()) as SessionInfo;
      expect((await home.request(`/sessions/${copy.session_id}`)).status).toBe(200);
      const archived = await post("archive");
      expect([archived.status, await archived.json()]).toMatchObject([200, { status: "archived" }]);
      expect(await codeOf(await post("message", { message: "no" }))).toBe("session_archived");
      expect((await post("unarchive")).status).toBe(200);
      const woken = await post("resume");
      expect([woken.status, await woken.json()]).toMatchObject([200, { status: "live" }]);
    });
  });
}
