import { describe, expect, test } from "vitest";
import { wireError } from "@turnwire/protocol";
import { ManualPlatform } from "../test-support/manual-platform.ts";
import { sampleLog } from "../test-support/sample-event.ts";
import type { ClientError } from "./client-error.ts";
import type { Batch, StreamVerdict } from "./connection-state.ts";
import { Http } from "./http.ts";
import type { Fetch, WebSocketPort } from "./platform.ts";
import { sessionFeed } from "./session-feed.ts";
import type { Cursor } from "./stream.ts";
import { createWebSocketStream } from "./web-socket-stream.ts";

const log = sampleLog(4);
const ready = { type: "ready", session_id: "s1", epoch: "e1", after: 0, head: 4 };

/** A WebSocket whose server the test plays. */
class FakeSocket implements WebSocketPort {
  isClosed = false;
  readonly #listeners = new Map<string, (event: { data: unknown; code: number }) => void>();

  addEventListener(
    type: string,
    listener: (event: { readonly data: unknown; readonly code: number }) => void,
  ): void {
    this.#listeners.set(type, listener);
  }

  close(): void {
    this.isClosed = true;
  }

  says(frame: unknown): void {
    const data = typeof frame === "string" ? frame : JSON.stringify(frame);
    this.#listeners.get("message")?.({ data, code: 0 });
  }

  ends(code: number): void {
    this.#listeners.get("close")?.({ data: undefined, code });
  }
}

interface SetUp {
  readonly cursor?: Cursor;
  readonly fetch?: Fetch;
}

function setUp({ cursor = { after: 0 }, fetch = unreachable }: SetUp = {}) {
  const time = new ManualPlatform({ fetch });
  const socket = new FakeSocket();
  const asked: { url: string; protocols: string[] }[] = [];
  const verdicts: StreamVerdict[] = [];
  const batches: Batch[] = [];
  const order: string[] = [];
  let end: (ended: "ended" | ClientError) => void;
  const ended = new Promise<"ended" | ClientError>((resolve) => {
    end = resolve;
  });
  const http = new Http({
    url: "https://server/base",
    token: "t",
    timeoutMs: 1_000,
    platform: time.platform,
  });
  const open = createWebSocketStream(http, sessionFeed("s 1"), (url, protocols) => {
    asked.push({ url, protocols });
    return socket;
  });
  const release = open(cursor, {
    opened: async (verdict) => void verdicts.push(verdict),
    received: async (batch) => {
      order.push("received");
      batches.push(batch);
    },
    ended: async () => {
      order.push("ended");
      end("ended");
    },
    failed: async (error) => end(error),
  });
  return { socket, asked, verdicts, batches, order, ended, release, time };
}

const unreachable: Fetch = () => Promise.reject(new TypeError("fetch failed"));

describe("a WebSocket that something in between swallows", () => {
  const answering: Fetch = async () => new Response("{}");

  test("is given up after 4 s, though it never says that it closed", async () => {
    const { socket, ended, time } = setUp({ fetch: answering });
    time.advance(4_000);
    expect(await ended).toMatchObject({ code: "blocked" });
    expect(socket.isClosed).toBe(true);
  });

  test("is not heard any more once it was given up, whatever comes late", async () => {
    const { socket, ended, verdicts, order, time } = setUp({ fetch: answering });
    time.advance(4_000);
    socket.says(ready);
    socket.says(log[0]);
    socket.ends(1001);
    expect(await ended).toMatchObject({ code: "blocked" });
    expect([...verdicts, ...order]).toEqual([]);
  });

  test("is waited for no longer once it has answered", async () => {
    const { socket, ended, time } = setUp({ fetch: answering });
    socket.says(ready);
    time.advance(4_000);
    expect(socket.isClosed).toBe(false);
    socket.ends(1001);
    expect(await ended).toBe("ended");
  });
});

describe("events over WebSocket", () => {
  test("are asked for with the position, the epoch and the token as a subprotocol", () => {
    const { asked } = setUp({ cursor: { after: 12, epoch: "e1" } });
    expect(asked).toEqual([
      {
        url: "wss://server/base/sessions/s%201/ws?after=12&epoch=e1",
        protocols: ["turnwire", "bearer.t"],
      },
    ]);
  });

  test("come after the verdict, as one batch where they come in one go", async () => {
    const { socket, verdicts, batches, ended } = setUp();
    socket.says(ready);
    for (const event of log) socket.says(event);
    socket.ends(1001);
    expect(await ended).toBe("ended");
    expect(verdicts).toEqual([{ epoch: "e1", after: 0, head: 4, hasKeepalive: true }]);
    expect(batches).toEqual([{ events: log }]);
  });

  test("come before the end that follows them at once", async () => {
    const { socket, order, ended } = setUp();
    socket.says(ready);
    socket.says(log[0]);
    socket.ends(1001);
    await ended;
    await new Promise(setImmediate);
    expect(order).toEqual(["received", "ended"]);
  });

  test.each([
    ["as the verdict", []],
    ["later, for a reader that lost its place", [ready, log[0]]],
  ])("a gap says that the place is gone, %s", async (_name, before) => {
    const { socket, ended } = setUp();
    const error = wireError("cursor_gone", "gone", { oldest: 3 });
    for (const frame of before) socket.says(frame);
    socket.says({ type: "gap", error });
    expect(await ended).toMatchObject({ code: "wire", status: 412, error });
  });

  test.each([
    ["no JSON", "{half"],
    ["null", "null"],
    ["an event before the verdict", log[0]],
  ])("a frame that is not a verdict is a protocol error: %s", async (_name, frame) => {
    const { socket, ended } = setUp();
    socket.says(frame);
    expect(await ended).toMatchObject({ code: "protocol" });
  });

  test("a frame that is not an event is a protocol error", async () => {
    const { socket, ended } = setUp();
    socket.says(ready);
    socket.says({ type: "ack", id: 1, seq: 2 });
    expect(await ended).toMatchObject({ code: "protocol" });
  });

  test.each([
    [4401, { code: "wire", status: 401 }],
    [4404, { code: "wire", status: 404 }],
    [4412, { code: "wire", status: 412 }],
    [1006, { code: "network" }],
    [1011, { code: "network" }],
  ])("close code %i after the verdict means %j", async (code, expected) => {
    const { socket, ended } = setUp();
    socket.says(ready);
    socket.ends(code);
    expect(await ended).toMatchObject(expected);
  });

  test.each([1000, 1001, 4408])("close code %i only means: come back", async (code) => {
    const { socket, ended } = setUp();
    socket.says(ready);
    socket.ends(code);
    expect(await ended).toBe("ended");
  });

  test("a refused upgrade does not say why, so HTTP is asked", async () => {
    const error = wireError("unauthorized", "No valid token.");
    const asked: string[] = [];
    const { socket, ended } = setUp({
      fetch: async (url) => {
        asked.push(url);
        return new Response(JSON.stringify({ error }), { status: 401 });
      },
    });
    socket.ends(1006);
    expect(await ended).toMatchObject({ status: 401, error });
    expect(asked).toEqual(["https://server/base/sessions/s%201"]);
  });

  test("where HTTP finds nothing wrong, only WebSockets are blocked", async () => {
    const { socket, ended } = setUp({ fetch: async () => new Response("{}") });
    socket.ends(1006);
    expect(await ended).toMatchObject({
      code: "blocked",
      message: expect.stringContaining("(1006)"),
    });
  });

  test("a keepalive is a sign of life and nothing else", async () => {
    const { socket, batches, ended } = setUp();
    socket.says(ready);
    socket.says({ type: "keepalive" });
    socket.ends(1001);
    expect(await ended).toBe("ended");
    expect(batches).toEqual([{ events: [] }]);
  });

  test("letting go closes the socket", () => {
    const { socket, release } = setUp();
    release();
    expect(socket.isClosed).toBe(true);
  });
});
