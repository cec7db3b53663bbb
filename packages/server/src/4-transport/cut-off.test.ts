import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../../base/src/test-support/manual-clock.ts";
import { SilentStore } from "../../../log/src/test-support/silent-store.ts";
import {
  codeOf,
  type RunningServer,
  startServer,
  testToken,
} from "./test-support/running-server.ts";
import { openSocket, refusedUpgrade } from "./test-support/socket-client.ts";
import { readSse, type SseReader } from "./test-support/sse-reader.ts";

const leaseMs = 3_000;

/** Two servers over one store; `cut` can lose its way to it. Leases run by a clock that only the test moves. */
async function openServers() {
  const clock = new ManualClock();
  const memory = createMemoryStore({ clock, isShared: true });
  const way = new SilentStore(memory);
  const homeWay = new SilentStore(memory);
  const home = await startServer({ hostOptions: { store: homeWay.store, clock, leaseMs } });
  const cut = await startServer({ hostOptions: { store: way.store, clock, leaseMs } });
  // Before the server closes.
  onTestFinished(() => {
    way.heal();
    homeWay.heal();
  });
  const passUntil = async (isSo: () => boolean) => {
    while (!isSo()) await clock.advance(50);
  };
  const cutOff = async () => {
    way.silence();
    await passUntil(() => cut.host.isCutOff);
  };
  const heal = async () => {
    way.heal();
    await passUntil(() => !cut.host.isCutOff);
  };
  return { memory, home, homeWay, cut, way, cutOff, heal };
}

/** Every way to read a session or the list by HTTP. */
function readings(id: string): [path: string, accept: string][] {
  return [
    [`/sessions/${id}`, "application/json"],
    [`/sessions/${id}/state`, "application/json"],
    [`/sessions/${id}/snapshot`, "application/json"],
    [`/sessions/${id}/events`, "application/json"],
    [`/sessions/${id}/events`, "text/event-stream"],
    [`/sessions/${id}/events?dialect=stream-json`, "text/event-stream"],
    [`/sessions/${id}/stream`, "text/event-stream"],
    ["/sessions", "application/json"],
    ["/sessions/search?q=word", "application/json"],
    ["/hosts", "application/json"],
    ["/watch", "text/event-stream"],
  ];
}

async function follow({ url }: RunningServer, path: string): Promise<SseReader> {
  const reader = await readSse(`${url}${path}`);
  onTestFinished(() => reader.close());
  expect(reader.response.statusCode).toBe(200);
  return reader;
}

describe("a server that knows that it is cut off from the store it shares", () => {
  test("refuses every reader at once with 503 and Retry-After, in every dialect, and serves them when it is back", async () => {
    const { home, cut, cutOff, heal } = await openServers();
    const ids = [await cut.createSession(), await home.createSession()];
    await cutOff();
    for (const id of ids) {
      for (const [path, accept] of readings(id)) {
        const answer = await cut.request(path, { headers: { accept } });
        expect([path, answer.status, await codeOf(answer)]).toEqual([
          path,
          503,
          "store_unavailable",
        ]);
        expect(answer.headers.get("retry-after")).toBe("1");
      }
      const headers = { authorization: `Bearer ${testToken}` };
      for (const path of [
        `/sessions/${id}/ws`,
        `/sessions/${id}/ws?dialect=stream-json`,
        "/watch/ws",
        "/ws",
      ]) {
        const { status, body } = await refusedUpgrade(`${cut.url}${path}`, { headers });
        expect([path, status, body]).toEqual([
          path,
          503,
          expect.stringContaining("store_unavailable"),
        ]);
      }
      const json = { message: "hello" };
      const command = await cut.request(`/sessions/${id}/message`, { json });
      expect([command.status, await codeOf(command)]).toEqual([503, "store_unavailable"]);
    }
    // Its log says once that it is cut off, not with each request.
    expect(cut.errors).toEqual([]);
    await heal();
    for (const id of ids) {
      for (const [path, accept] of readings(id)) {
        const answer = await cut.request(path, { headers: { accept } });
        expect([path, answer.status]).toEqual([path, 200]);
        await answer.body?.cancel();
      }
    }
  });

  test("reports it in its health and metrics at once, and that it is back", async () => {
    const { cut, cutOff, heal } = await openServers();
    expect((await cut.request("/health")).status).toBe(200);
    await cutOff();
    const health = await cut.request("/health");
    expect([health.status, await health.json()]).toMatchObject([
      503,
      {
        error: {
          code: "store_unavailable",
          message: "The store cannot write: this host is cut off from it.",
        },
      },
    ]);
    expect(await cut.metric("turnwire_store_writable")).toBe(0);
    await heal();
    expect((await cut.request("/health")).status).toBe(200);
    expect(await cut.metric("turnwire_store_writable")).toBe(1);
  });

  test("sends away whoever follows sessions or the list there", async () => {
    const { home, cut, cutOff } = await openServers();
    const ids = [await cut.createSession(), await home.createSession()];
    const readers = await Promise.all(
      [...ids.map((id) => `/sessions/${id}/events`), "/watch"].map((path) => follow(cut, path)),
    );
    const sockets = await Promise.all(
      [...ids.map((id) => `/sessions/${id}/ws`), "/watch/ws"].map((path) =>
        openSocket(`${cut.url}${path}`),
      ),
    );
    await Promise.all(readers.map((reader) => reader.until(() => reader.frames.length > 0)));
    await Promise.all(sockets.map((socket) => socket.until(() => socket.messages.length > 0)));
    await cutOff();
    await Promise.all(readers.map(({ ended }) => ended));
    for (const { closed } of sockets) expect(await closed).toMatchObject({ code: 1001 });
  });

  test("does not wait for the answer to a command that it has stored: the session's host will carry it out", async () => {
    const { memory, home, homeWay, cut, cutOff } = await openServers();
    const id = await home.createSession();
    await follow(cut, `/sessions/${id}/events`);
    homeWay.silence();
    const answer = cut.request(`/sessions/${id}/message`, { json: { message: "hello" } });
    await expect.poll(() => memory.readInbox(id, 1)).toHaveLength(1);
    await cutOff();
    expect((await answer).status).toBe(202);
  });

  test("refuses readers that already waited when it found out", async () => {
    const { home, cut, way, cutOff } = await openServers();
    const id = await home.createSession();
    way.silence();
    const waiting = readings(id).map(async ([path, accept]) => {
      const answer = await cut.request(path, { headers: { accept } });
      return [path, answer.status, await codeOf(answer)];
    });
    const health = cut.request("/health");
    const socket = await openSocket(`${cut.url}/sessions/${id}/ws`);
    await cutOff();
    expect(await Promise.all(waiting)).toEqual(
      readings(id).map(([path]) => [path, 503, "store_unavailable"]),
    );
    expect((await health).status).toBe(503);
    expect(await socket.closed).toEqual({ code: 1001, reason: "store_unavailable" });
  });
});
