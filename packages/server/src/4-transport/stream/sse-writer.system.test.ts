import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rawRequest, sendRaw, statusOf } from "../test-support/raw-request.ts";
import { appendTexts, metricIs, startServer, testToken } from "../test-support/running-server.ts";
import { readSse } from "../test-support/sse-reader.ts";
import { stall, testStalledReaders, testVisits, withSession } from "../test-support/stream-load.ts";
import { WatchedClock } from "../test-support/watched-clock.ts";

describe("a stream's bytes", () => {
  test("have no length and no chunks, and end with the connection", async () => {
    const running = await withSession();
    const { port, id, request, stream } = running;
    const reader = await readSse(stream);
    expect(reader.response.headers).toMatchObject({ connection: "close" });
    expect(reader.response.headers).not.toHaveProperty("transfer-encoding");
    expect(reader.response.headers).not.toHaveProperty("content-length");
    const whole = sendRaw(
      port,
      `GET /sessions/${id}/events HTTP/1.0\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n`,
    );
    await metricIs(running, "turnwire_subscribers", 2);
    await request(`/sessions/${id}`, { method: "DELETE" });
    const [head = "", body = ""] = (await whole).split(/\r\n\r\n/);
    expect(statusOf(head)).toBe(200);
    expect(body).toMatch(
      /^id: 1\nevent: session_ready\ndata: \{.*\}\n\nid: 2\nevent: session_closed\n/,
    );
    await reader.ended;
  });

  test("are read by fetch as by any other client", async () => {
    const { request, id, stream } = await withSession();
    const answer = await fetch(stream, { headers: { authorization: `Bearer ${testToken}` } });
    await request(`/sessions/${id}`, { method: "DELETE" });
    expect(await answer.text()).toContain("event: session_closed");
  });

  test("asked for before the answer before it has ended come after that answer", async () => {
    const running = await withSession();
    const { port, id, request } = running;
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: Bearer ${testToken}`;
    const first = `GET /sessions HTTP/1.1\r\n${head}\r\n\r\n`;
    const answers = rawRequest(port, [`${first}GET /sessions/${id}/events HTTP/1.1`, head]);
    await metricIs(running, "turnwire_subscribers", 1);
    await request(`/sessions/${id}`, { method: "DELETE" });
    expect(await answers).toMatch(
      /^HTTP\/1\.1 200[^]*"sessions"[^]*HTTP\/1\.1 200[^]*\r\n\r\nid: 1\nevent: session_ready\n[^]*event: session_closed\n/,
    );
  });

  test("hostile text in an event stays in that event", async () => {
    const { session, stream } = await withSession();
    const texts = [
      "x\r\nid: 9999\r\nevent: permission_request\ndata: {}\n\n",
      "\r",
      "\u2028",
      "\0",
    ];
    await appendTexts(session, texts);
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 5);
    expect(reader.frames.map(({ id, event }) => `${id} ${event}`).slice(1)).toEqual([
      "2 notice",
      "3 notice",
      "4 notice",
      "5 notice",
    ]);
    const read = reader.frames.slice(1).map(({ data }) => JSON.parse(data).data.text);
    expect(read).toEqual(texts);
    reader.close();
  });
});

describe("a silent stream", () => {
  test("is kept open by a comment every 15 seconds, and only then", async () => {
    const clock = new WatchedClock();
    const { session, stream } = await withSession({ clock });
    const reader = await readSse(stream);
    await reader.until(() => reader.frames.length === 1);
    await clock.beat(14);
    await appendTexts(session, ["not silent"]);
    await reader.until(() => reader.frames.length === 2);
    await clock.beat(14);
    expect(reader.comments).toEqual([]);
    await clock.beat(1);
    await reader.until(() => reader.comments.length === 1);
    expect(reader.comments).toEqual(["keepalive"]);
    await clock.beat(15);
    await reader.until(() => reader.comments.length === 2);
    reader.close();
  });
});

describe("a reader that takes nothing", () => {
  const large = Array.from({ length: 300 }, () => "x".repeat(50_000));

  test("is let go after 30 seconds; what it held is free, and it can resume", async () => {
    const clock = new WatchedClock();
    const running = await withSession({ clock });
    const { id, session, stream } = running;
    const socket = await stall(running, id);
    await metricIs(running, "turnwire_subscribers", 1);
    await appendTexts(session, large);
    await clock.beat(25);
    expect(await running.metric("turnwire_subscribers")).toBe(1);
    // The seconds count from when its buffers are full, which this clock does not know.
    while ((await running.metric("turnwire_slow_readers_total")) === 0) await clock.beat(1);
    await metricIs(running, "turnwire_subscribers", 0);
    expect(await running.metric("turnwire_slow_readers_total")).toBe(1);
    socket.destroy();
    const reader = await readSse(`${stream}?after=1`);
    await reader.until(() => reader.frames.length === 300);
    expect(reader.frames.at(-1)?.id).toBe(301);
    reader.close();
  });
});

testStalledReaders(15);
testVisits(15);

describe("readers that come and go", () => {
  test("a session that every reader has left gives back its frames and goes to sleep", async () => {
    const [clock, hostClock] = [new WatchedClock(), new WatchedClock()];
    const running = await withSession({ clock, hostOptions: { clock: hostClock, idleMs: 1_000 } });
    const readers = [await readSse(running.stream), await readSse(running.stream)];
    await metricIs(running, "turnwire_subscribers", 2);
    await hostClock.advance(60_000);
    expect(await running.metric("turnwire_sessions_loaded")).toBe(1);
    for (const reader of readers) reader.close();
    await metricIs(running, "turnwire_subscribers", 0);
    expect(await running.metric("turnwire_framed_logs")).toBe(1);
    await clock.beat(6);
    expect(await running.metric("turnwire_framed_logs")).toBe(0);
    await hostClock.advance(1_000);
    await metricIs(running, "turnwire_sessions_loaded", 0);
  });

  test("a reader that ends its side of the connection is let go", async () => {
    const running = await withSession();
    const socket = await stall(running, running.id);
    socket.resume();
    await metricIs(running, "turnwire_subscribers", 1);
    socket.end();
    await metricIs(running, "turnwire_subscribers", 0);
    expect(running.errors).toEqual([]);
  });

  test("garbage after the request ends the stream, and nothing is written into it", async () => {
    const running = await withSession();
    const { port, id } = running;
    const text = await sendRaw(
      port,
      `GET /sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n\0\0garbage\r\n\r\n`,
    );
    expect(text).not.toContain("invalid_request");
    await metricIs(running, "turnwire_subscribers", 0);
  });
});

describe("any mixture of appends, cuts and resumes", () => {
  const step = fc.oneof(
    fc.record({
      type: fc.constant("append" as const),
      count: fc.integer({ min: 1, max: 40 }),
      size: fc.integer({ min: 0, max: 3_000 }),
    }),
    fc.record({ type: fc.constant("cut" as const) }),
    fc.record({ type: fc.constant("read" as const) }),
  );

  test("delivers every event once and in order, over real sockets", async () => {
    const running = await startServer({
      hostOptions: { ringSize: 16 },
      frameRing: { maxEvents: 32, maxBytes: 128 * 1024 },
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const id = await running.createSession();
        const session = await running.session(id);
        const stream = `${running.url}/sessions/${id}/events`;
        const seen: number[] = [];
        let reader = await readSse(stream);
        const cut = (): void => {
          seen.push(...reader.frames.map(({ id: seq }) => seq));
          reader.close();
        };
        for (const action of steps) {
          if (action.type === "append") {
            const texts = Array.from({ length: action.count }, () => "x".repeat(action.size));
            await appendTexts(session, texts);
          } else if (action.type === "cut") {
            cut();
            reader = await readSse(stream, { "last-event-id": String(seen.at(-1) ?? 0) });
          } else if (session.log.head > (seen.at(-1) ?? 0)) {
            await reader.until(() => reader.frames.length > 0);
          }
        }
        const { head } = session.log;
        if ((seen.at(-1) ?? 0) < head) await reader.until(() => reader.frames.at(-1)?.id === head);
        cut();
        expect(seen).toEqual(Array.from({ length: head }, (_, index) => index + 1));
      }),
      { numRuns: 20 },
    );
  });
});
