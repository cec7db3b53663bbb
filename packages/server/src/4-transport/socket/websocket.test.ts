import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { eventWhere } from "../../test-support/log-reader.ts";
import type { AuthRequest } from "../auth/auth.ts";
import { sendRaw, statusOf } from "../test-support/raw-request.ts";
import {
  appendTexts,
  metricIs,
  startServer,
  testToken,
  type StartOptions,
} from "../test-support/running-server.ts";
import { openSocket, refusedUpgrade } from "../test-support/socket-client.ts";
import { openTrimmedSession } from "../test-support/trimmed-session.ts";
import { WatchedClock } from "../test-support/watched-clock.ts";

async function withSession(options: StartOptions = {}) {
  const running = await startServer(options);
  const id = await running.createSession();
  const session = await running.session(id);
  return { ...running, id, session, socketUrl: `${running.url}/sessions/${id}/ws` };
}

const authorization = `Bearer ${testToken}`;

describe("an upgrade", () => {
  test.each([
    ["no token", {}, 401],
    ["a wrong token", { authorization: "Bearer wrong" }, 401],
    ["a foreign origin", { authorization, origin: "https://evil.example" }, 403],
    ["the origin null", { authorization, origin: "null" }, 403],
    ["a foreign host", { authorization, host: "evil.example" }, 421],
  ])("with %s is refused before the handshake", async (_name, headers, status) => {
    const { socketUrl, id } = await withSession();
    const refusal = await refusedUpgrade(socketUrl, { headers });
    expect(refusal.status).toBe(status);
    expect(refusal.body).toContain('"error"');
    expect(refusal.body).not.toContain(id);
    expect(refusal.body).not.toContain(testToken);
  });

  test("of a principal that has as many as it may is refused until one closes", async () => {
    const { socketUrl } = await withSession({ maxSocketsPerPrincipal: 2 });
    const open = [await openSocket(socketUrl), await openSocket(socketUrl)];
    const refusal = await refusedUpgrade(socketUrl, { headers: { authorization } });
    expect(refusal.status).toBe(429);
    expect(refusal.body).toContain("rate_limited");
    const [first] = open;
    first?.websocket.close();
    await expect
      .poll(async () => {
        const next = await openSocket(socketUrl).catch(() => undefined);
        return next !== undefined;
      })
      .toBe(true);
  });

  test("with the token in the wrong place is refused", async () => {
    const { socketUrl } = await withSession();
    expect((await refusedUpgrade(`${socketUrl}?token=${testToken}`)).status).toBe(401);
    const protocols = [testToken];
    expect((await refusedUpgrade(socketUrl, { protocols })).status).toBe(401);
    expect(
      (await refusedUpgrade(socketUrl, { protocols: ["turnwire", "bearer.wrong"] })).status,
    ).toBe(401);
  });

  test("with the token as subprotocol is answered with ours, and the token stays unsaid", async () => {
    const { socketUrl } = await withSession();
    const protocols = ["turnwire", `bearer.${testToken}`];
    const client = new WebSocket(socketUrl.replace("http:", "ws:"), protocols);
    await once(client, "open");
    expect(client.protocol).toBe("turnwire");
    client.terminate();
  });

  test("is answered without compression, though the client offers it", async () => {
    const { socketUrl } = await withSession();
    const client = await openSocket(socketUrl, { perMessageDeflate: true });
    expect(client.websocket.extensions).toBe("");
  });

  test("with a cursor that is none is 400", async () => {
    const { socketUrl } = await withSession();
    const refusal = await refusedUpgrade(`${socketUrl}?after=abc`, { headers: { authorization } });
    expect(refusal.status).toBe(400);
    expect(refusal.body).toContain("invalid_cursor");
  });

  test("at another path is 404, and of another kind 400", async () => {
    const { url, port, id } = await withSession();
    const refusal = await refusedUpgrade(`${url}/none`, { headers: { authorization } });
    expect(refusal.status).toBe(404);
    const head = `Host: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\nConnection: Upgrade`;
    const path = `GET /sessions/${id}/ws HTTP/1.1`;
    expect(statusOf(await sendRaw(port, `${path}\r\n${head}\r\nUpgrade: h2c\r\n\r\n`))).toBe(400);
    expect(statusOf(await sendRaw(port, `${path}\r\n${head}\r\nUpgrade: websocket\r\n\r\n`))).toBe(
      400,
    );
  });

  test("that is reset while it is judged does no harm", async () => {
    let judge: () => void = () => undefined;
    const judged = new Promise<void>((resolve) => {
      judge = resolve;
    });
    let wasAsked: () => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      wasAsked = resolve;
    });
    const authorize = async ({ url }: AuthRequest) => {
      if (url.endsWith("/ws")) {
        wasAsked();
        await judged;
      }
      return { id: "a", isAdmin: true };
    };
    const { port, url } = await startServer({ auth: { type: "authorize", authorize } });
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    socket.write(
      `GET /sessions/a/ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    await asked;
    socket.resetAndDestroy();
    judge();
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });
});

describe("following a session over WebSocket", () => {
  test("the verdict comes first, then everything after the cursor, then what happens live", async () => {
    const { socketUrl, session, id } = await withSession();
    await appendTexts(session, ["two", "three"]);
    const client = await openSocket(`${socketUrl}?after=1&epoch=${session.log.epoch}`);
    await client.until(() => client.messages.length === 3);
    await appendTexts(session, ["x".repeat(70_000), "live \u2028 🙂"]);
    await client.until(() => client.messages.length === 5);
    expect(client.messages[0]).toEqual({
      type: "ready",
      session_id: id,
      epoch: session.log.epoch,
      after: 1,
      head: 3,
    });
    expect(client.messages.slice(1).map(({ seq }) => seq)).toEqual([2, 3, 4, 5]);
    expect(client.messages[4]).toMatchObject({ data: { text: "live \u2028 🙂" } });
  });

  test("a cursor that cannot be resumed is refused and closed with 4412", async () => {
    const { url, id, oldest } = await openTrimmedSession();
    const socketUrl = `${url}/sessions/${id}/ws`;
    for (const query of [`after=${oldest - 2}`, "after=999", "after=15&epoch=other"]) {
      const client = await openSocket(`${socketUrl}?${query}`);
      expect((await client.closed).code).toBe(4412);
      expect(client.messages).toEqual([
        { type: "gap", error: expect.objectContaining({ code: "cursor_gone" }) },
      ]);
    }
  });

  test("an unknown session is closed with 4404, and a foreign one in the same way", async () => {
    const { url } = await withSession();
    const client = await openSocket(`${url}/sessions/unknown/ws`);
    expect(await client.closed).toEqual({ code: 4404, reason: "session_not_found" });
    expect(client.messages).toEqual([]);

    const authorize = ({ bearer }: AuthRequest) =>
      bearer === testToken ? { id: "a", isAdmin: false } : { id: "b", isAdmin: false };
    const tenants = await startServer({ auth: { type: "authorize", authorize } });
    const id = await tenants.createSession();
    const headers = { authorization: "Bearer somebody-else" };
    const foreign = await openSocket(`${tenants.url}/sessions/${id}/ws`, { headers });
    expect(await foreign.closed).toEqual({ code: 4404, reason: "session_not_found" });
  });

  test("the end of the session is 1000, the end of the server 1001", async () => {
    const { socketUrl, request, id, server, createSession, url } = await withSession();
    const client = await openSocket(socketUrl);
    await request(`/sessions/${id}`, { method: "DELETE" });
    expect((await client.closed).code).toBe(1000);
    expect(client.messages.at(-1)).toMatchObject({ type: "session_closed" });
    const other = await openSocket(`${url}/sessions/${await createSession()}/ws`);
    await other.until(() => other.messages.length === 2);
    await server.close();
    expect((await other.closed).code).toBe(1001);
  });

  test("peers that come and go leave nothing behind", async () => {
    const running = await withSession();
    const { socketUrl } = running;
    for (let round = 0; round < 20; round++) {
      const clients = await Promise.all(Array.from({ length: 10 }, () => openSocket(socketUrl)));
      for (const [index, client] of clients.entries()) {
        if (index % 2 === 0) client.websocket.terminate();
        else client.websocket.close();
      }
      await Promise.all(clients.map(({ closed }) => closed));
    }
    await metricIs(running, "turnwire_subscribers", 0);
    expect(running.errors).toEqual([]);
  });
});

describe("commands over WebSocket", () => {
  test("are acknowledged with their place, in the order they came", async () => {
    const { socketUrl } = await withSession();
    const client = await openSocket(`${socketUrl}?after=1`);
    for (let id = 1; id <= 50; id++) {
      client.send({ id, command: { type: "rename", title: `title ${id}` } });
    }
    const acks = () => client.messages.filter(({ type }) => type === "ack");
    await client.until(() => acks().length === 50);
    expect(acks().map(({ id }) => id)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
    const seqs = acks().map(({ seq }) => Number(seq));
    expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
  });

  test("are acknowledged also while large events are on their way, and between two events only", async () => {
    const { socketUrl, session } = await withSession();
    const client = await openSocket(`${socketUrl}?after=1`);
    await client.until(() => client.messages.length === 1);
    client.websocket.pause();
    const large = Array.from({ length: 80 }, () => "x".repeat(250_000));
    await appendTexts(session, large);
    const renamed = eventWhere(session.log, ({ type }) => type === "session_updated");
    client.send({ id: 1, command: { type: "rename", title: "t" } });
    await renamed;
    client.websocket.ping();
    client.websocket.resume();
    await client.until(() => client.messages.length === 83);
    const countOf = (name: string) => client.messages.filter(({ type }) => type === name).length;
    expect(["notice", "ack", "session_updated"].map(countOf)).toEqual([80, 1, 1]);
    expect(client.websocket.readyState).toBe(WebSocket.OPEN);
  });

  test("a command waits for the one before it, however long that takes", async () => {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    let askedForFirst: () => void = () => undefined;
    const reachedFirst = new Promise<void>((resolve) => {
      askedForFirst = resolve;
    });
    let upgrades = 0;
    const authorize = async ({ url }: AuthRequest) => {
      if (url.includes("/ws")) upgrades += 1;
      if (upgrades === 2 && url.includes("/ws")) {
        askedForFirst();
        await held;
      }
      return { id: "a", isAdmin: true };
    };
    const { socketUrl } = await withSession({ auth: { type: "authorize", authorize } });
    const client = await openSocket(`${socketUrl}?after=1`);
    client.send({ id: "first", command: { type: "rename", title: "1" } });
    await reachedFirst;
    client.send({ id: "second", command: { type: "rename", title: "2" } });
    await roundTrip(client.websocket);
    release();
    const acks = () => client.messages.filter(({ type }) => type === "ack");
    await client.until(() => acks().length === 2);
    expect(acks().map(({ id }) => id)).toEqual(["first", "second"]);
  });

  test("a message is acknowledged with its id, and a repeated one as such", async () => {
    const { socketUrl } = await withSession();
    const client = await openSocket(socketUrl);
    const command = { type: "user_message", content: "hello", client_message_id: "c" };
    client.send({ id: "a", command });
    client.send({ id: "b", command });
    const acks = () => client.messages.filter(({ type }) => type === "ack");
    await client.until(() => acks().length === 2);
    const [first, second] = acks();
    expect(first).toEqual({ type: "ack", id: "a", seq: 2, message_id: expect.any(String) });
    expect(second).toEqual({ ...first, id: "b", duplicate: true });
  });

  test.each([
    ["broken JSON", "{", undefined, "invalid_request"],
    ["no command", { id: 1 }, 1, "invalid_request"],
    ["an unknown command", { id: 2, command: { type: "none" } }, 2, "invalid_request"],
    ["a wrong id", { id: {}, command: { type: "archive" } }, undefined, "invalid_request"],
    [
      "an id that is too long",
      { id: "x".repeat(201), command: { type: "archive" } },
      undefined,
      "invalid_request",
    ],
    ["a prototype", `{"id":3,"command":{"__proto__":{}}}`, undefined, "invalid_request"],
    ["deep nesting", `${"[".repeat(70)}${"]".repeat(70)}`, undefined, "invalid_request"],
    [
      "an answer to nothing",
      { id: 4, command: { type: "question_response", correlation_id: "x", answers: {} } },
      4,
      "request_not_found",
    ],
  ])("%s is rejected, and the connection lives on", async (_name, frame, id, code) => {
    const { socketUrl } = await withSession();
    const client = await openSocket(`${socketUrl}?after=1`);
    client.websocket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
    client.send({ id: "after", command: { type: "rename", title: "x" } });
    await client.until(() => client.messages.some((message) => message["id"] === "after"));
    const rejected = client.messages.find(({ type }) => type === "rejected");
    expect(rejected?.["id"]).toBe(id);
    expect(rejected).toMatchObject({ error: { code } });
  });

  test("a peer whose right has ended is closed with 4401 at its next command", async () => {
    let isWelcome = true;
    const authorize = () => (isWelcome ? { id: "a", isAdmin: true } : null);
    const { socketUrl, session } = await withSession({ auth: { type: "authorize", authorize } });
    const client = await openSocket(socketUrl);
    isWelcome = false;
    client.send({ command: { type: "rename", title: "x" } });
    expect((await client.closed).code).toBe(4401);
    expect(session.log.head).toBe(1);
  });
});

describe("a WebSocket peer that misbehaves", () => {
  /** A raw connection past the handshake. */
  async function rawSocket(port: number, id: string) {
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("error", () => undefined);
    socket.write(
      `GET /sessions/${id}/ws?after=1 HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: ${authorization}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n`,
    );
    await once(socket, "data");
    const closeCode = new Promise<number>((resolve) => {
      const look = (): void => {
        // Whoever floods the peer does not look for the code.
        if (socket.bytesRead > 100_000) return;
        const bytes = Buffer.concat(chunks);
        const at = bytes.indexOf(0x88);
        if (at >= 0 && bytes.length >= at + 4) resolve(bytes.readUInt16BE(at + 2));
      };
      socket.on("data", (chunk: Buffer) => {
        chunks.push(chunk);
        look();
      });
      socket.on("close", () => resolve(0));
    });
    return { socket, closeCode };
  }

  /** A masked client frame. */
  function frame(opcode: number, payload: Buffer, isLast = true): Buffer {
    const head =
      payload.length < 126
        ? Buffer.from([(isLast ? 0x80 : 0) | opcode, 0x80 | payload.length])
        : Buffer.from([
            (isLast ? 0x80 : 0) | opcode,
            0x80 | 126,
            payload.length >> 8,
            payload.length & 255,
          ]);
    return Buffer.concat([head, Buffer.alloc(4), payload]);
  }

  test.each([
    ["an unmasked frame", Buffer.from([0x81, 0x02, 0x7b, 0x7d]), 1002],
    ["a reserved opcode", frame(3, Buffer.from("x")), 1002],
    ["bytes that are not UTF-8", frame(1, Buffer.from([0xff, 0xfe])), 1007],
    ["a binary frame", frame(2, Buffer.from("{}")), 1003],
    ["a frame over the limit", frame(1, Buffer.alloc(2_000, 0x20)), 1009],
  ])("by %s is closed with its code, and the server lives", async (_name, bytes, code) => {
    const { port, id, request } = await withSession({ maxBodyBytes: 1_000 });
    const { socket, closeCode } = await rawSocket(port, id);
    socket.write(bytes);
    expect(await closeCode).toBe(code);
    socket.destroy();
    expect((await request("/health")).status).toBe(200);
  });

  test("a command in fragments is a command", async () => {
    const { port, id, session } = await withSession();
    const { socket } = await rawSocket(port, id);
    const text = Buffer.from(JSON.stringify({ command: { type: "rename", title: "whole" } }));
    socket.write(frame(1, text.subarray(0, 10), false));
    socket.write(frame(0, text.subarray(10)));
    await once(socket, "data");
    while (session.log.head < 2) await once(socket, "data");
    expect(session.info().title).toBe("whole");
    socket.destroy();
  });

  test("pings whose pongs are not read are left unanswered instead of piling up", async () => {
    // On a busy machine this may take longer than a silent peer has.
    const { port, id } = await withSession({ clock: new WatchedClock() });
    const { socket } = await rawSocket(port, id);
    socket.pause();
    const count = 300_000;
    const ping = frame(9, Buffer.alloc(120));
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => ping));
    for (let sent = 0; sent < count; sent += 1_000) {
      await new Promise((resolve) => void socket.write(many, resolve));
    }
    const last = { id: "last", command: { type: "rename", title: "x" } };
    socket.write(frame(1, Buffer.from(JSON.stringify(last))));
    const before = socket.bytesRead;
    const answered = new Promise<void>((resolve, reject) => {
      const answer = Buffer.from('"id":"last"');
      let end = Buffer.alloc(0);
      socket.on("data", (chunk: Buffer) => {
        const bytes = Buffer.concat([end, chunk]);
        if (bytes.includes(answer)) resolve();
        end = bytes.subarray(-answer.length);
      });
      socket.on("close", () => reject(new Error("the server has closed the connection")));
    });
    socket.resume();
    await answered;
    expect(socket.bytesRead - before).toBeLessThan((count * ping.length) / 2);
    socket.destroy();
  });

  test("a keepalive comes after 15 seconds of silence, as pages do not see pings", async () => {
    const clock = new WatchedClock();
    const { socketUrl } = await withSession({ clock });
    const client = await openSocket(socketUrl);
    await client.until(() => client.messages.length === 2);
    await clock.beat(15);
    await client.until(() => client.messages.length === 3);
    expect(client.messages[2]).toEqual({ type: "keepalive" });
  });

  test("pings come every 15 seconds, and who misses two is dropped", async () => {
    const clock = new WatchedClock();
    const { socketUrl, port, id } = await withSession({ clock });
    const client = await openSocket(socketUrl);
    let pings = 0;
    client.websocket.on("ping", () => {
      pings += 1;
    });
    const { socket } = await rawSocket(port, id);
    const gone = once(socket, "close");
    for (let round = 1; round <= 2; round++) {
      const pinged = once(client.websocket, "ping");
      await clock.beat(15);
      await pinged;
      await roundTrip(client.websocket);
    }
    await clock.beat(15);
    await gone;
    expect(pings).toBeGreaterThanOrEqual(2);
    expect(client.websocket.readyState).toBe(WebSocket.OPEN);
  });

  test("one that takes nothing for 30 seconds is closed as too slow", async () => {
    const clock = new WatchedClock();
    const running = await withSession({ clock, keepaliveMs: 10_000_000 });
    const { port, id, session, metric } = running;
    const { socket } = await rawSocket(port, id);
    socket.pause();
    await appendTexts(
      session,
      Array.from({ length: 300 }, () => "x".repeat(50_000)),
    );
    // The server writes until nothing more is taken, which takes as many turns of the event loop as it needs.
    while ((await metric("turnwire_slow_readers_total")) === 0) await clock.beat(10);
    expect(await metric("turnwire_slow_readers_total")).toBe(1);
    socket.destroy();
    await metricIs(running, "turnwire_subscribers", 0);
  });
});

/** Everything sent before has arrived when this resolves. */
async function roundTrip(websocket: WebSocket): Promise<void> {
  const pong = once(websocket, "pong");
  websocket.ping();
  await pong;
}
