import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { silentLogger } from "@turnwire/base";
import { createMemoryStore, StoreError } from "@turnwire/log";
import { demo } from "@turnwire/runtime/demo";
import { SessionHost } from "../3-host/session-host.ts";
import { interceptAppends } from "../../../log/src/test-support/intercepted-store.ts";
import { createTurnwireServer } from "./server.ts";
import { WatchedClock } from "./test-support/watched-clock.ts";
import { appendTexts, codeOf, startServer, testToken } from "./test-support/running-server.ts";
import { readSse } from "./test-support/sse-reader.ts";

function plainHost(): SessionHost {
  return new SessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [],
  });
}

describe("listening", () => {
  test.each(["0.0.0.0", "::", "192.0.2.1"])(
    "without auth, %s is refused with an error that names the way out",
    async (address) => {
      const server = await createTurnwireServer({ host: plainHost(), auth: { type: "off" } });
      await expect(server.listen({ host: address })).rejects.toMatchObject({
        code: "bind_insecure",
        message: expect.stringContaining("give it a token"),
      });
      await server.close();
    },
  );

  test("a port that is taken is an error that names it", async () => {
    const { port } = await startServer();
    const auth = { type: "token", token: testToken } as const;
    const server = await createTurnwireServer({ host: plainHost(), auth });
    await expect(server.listen({ port })).rejects.toMatchObject({
      code: "port_taken",
      message: expect.stringContaining(String(port)),
    });
    await server.close();
  });

  test("beyond this machine is warned about unless a proxy is trusted", async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (_: object, text: string) => warnings.push(text) };
    const auth = { type: "token", token: testToken } as const;
    const clientAddress = () => "203.0.113.7";
    const quiet = [{ host: "127.0.0.1" }, { host: "0.0.0.0", clientAddress }];
    for (const { host, ...options } of [...quiet, { host: "0.0.0.0" }]) {
      expect(warnings).toEqual([]);
      const server = await createTurnwireServer({ host: plainHost(), auth, logger, ...options });
      await server.listen({ host });
      await server.close();
    }
    expect(warnings).toEqual([expect.stringContaining("plain HTTP")]);
  });

  test("with auth every address is fine, and the own address is a name to be called by", async () => {
    const auth = { type: "token", token: testToken } as const;
    const server = await createTurnwireServer({ host: plainHost(), auth });
    const { url, port } = await server.listen({ host: "0.0.0.0" });
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    await server.close();
  });

  test("a login link needs a server that listens", async () => {
    const auth = { type: "token", token: testToken } as const;
    const server = await createTurnwireServer({ host: plainHost(), auth });
    await expect(server.loginUrl()).rejects.toThrow("listen first");
    await server.close();
  });
});

describe("closing", () => {
  test("delivers what is there, asks readers to come back, and ends", async () => {
    const { server, url, createSession, session } = await startServer();
    const id = await createSession();
    const reader = await readSse(`${url}/sessions/${id}/events`);
    await reader.until(() => reader.frames.length === 1);
    await appendTexts(await session(id), ["last words"]);
    await server.close();
    await reader.ended;
    expect(reader.frames.map(({ id: seq }) => seq)).toEqual([1, 2]);
    expect(reader.retries).toHaveLength(1);
    expect(reader.response.complete).toBe(true);
    await expect(fetch(`${url}/health`)).rejects.toThrow("fetch failed");
  });

  test("does not wait for a connection on which nothing was asked", async () => {
    const { server, port } = await startServer({ drainMs: 2 ** 31 - 1 });
    const socket = connect(port, "127.0.0.1");
    await once(socket, "connect");
    const isGone = once(socket, "close");
    await server.close();
    await isGone;
    expect(socket.bytesRead).toBe(0);
  });

  test("settles a turn that runs before readers are let go", async () => {
    const { server, url, createSession, request } = await startServer();
    const id = await createSession();
    const reader = await readSse(`${url}/sessions/${id}/events`);
    await request(`/sessions/${id}/message`, { json: { message: "/permission" } });
    await reader.until(() => reader.frames.some(({ event }) => event === "permission_request"));
    await server.close();
    await reader.ended;
    const types = reader.frames.map(({ event }) => event);
    expect(types).toContain("permission_resolved");
    expect(types).toContain("done");
  });

  test("can be asked for twice, also by a server that never listened", async () => {
    const { server } = await startServer();
    const [first, second] = [server.close(), server.close()];
    expect(second).toBe(first);
    await first;
    const auth = { type: "off" } as const;
    const silent = await createTurnwireServer({ host: plainHost(), auth });
    await silent.close();
  });

  test("cuts off a reader that does not take its bytes, when the time is over", async () => {
    const { server, port, createSession, session } = await startServer({ drainMs: 50 });
    const id = await createSession();
    await appendTexts(
      await session(id),
      Array.from({ length: 200 }, () => "x".repeat(100_000)),
    );
    const socket = connect(port, "127.0.0.1");
    socket.write(
      `GET /sessions/${id}/events HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${testToken}\r\n\r\n`,
    );
    await new Promise((resolve) => {
      socket.once("readable", () => resolve(undefined));
    });
    const cut = once(socket, "close");
    socket.resume();
    await server.close();
    await cut;
    expect(socket.destroyed).toBe(true);
  });

  test("what was under way is finished; new requests on its connection are asked to come back", async () => {
    let letHostClose: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      letHostClose = resolve;
    });
    const clock = new WatchedClock();
    const { server, host, port } = await startServer({ clock, bodyTimeoutMs: 7_000 });
    const close = host.close.bind(host);
    host.close = () => held.then(close);
    const head = [`Host: 127.0.0.1:${port}`, `Authorization: Bearer ${testToken}`].join("\r\n");
    const type = "Content-Type: application/json\r\nContent-Length: 16";
    const socket = connect(port, "127.0.0.1");
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    const ended = new Promise((resolve) => {
      socket.once("close", resolve);
    });
    socket.write(`POST /sessions HTTP/1.1\r\n${head}\r\n${type}\r\n\r\n{"title":`);
    await clock.hasWaiter(7_000);
    const closing = server.close();
    socket.write(`"late"}GET /health HTTP/1.1\r\n${head}\r\n\r\n`);
    await ended;
    letHostClose();
    await closing;
    const answers = Buffer.concat(chunks).toString();
    expect(answers.match(/HTTP\/1\.1 [0-9]+/g)).toEqual(["HTTP/1.1 201", "HTTP/1.1 503"]);
    expect(answers).toContain("shutting_down");
  });
});

describe("failures", () => {
  test("a store that is away is 503 and retryable", async () => {
    const store = interceptAppends(createMemoryStore(), () =>
      Promise.reject(new StoreError("unavailable", "disk full at /secret/path")),
    );
    const { request } = await startServer({ hostOptions: { store } });
    const answer = await request("/sessions", { json: {} });
    expect(answer.status).toBe(503);
    expect(answer.headers.get("retry-after")).toBe("1");
    const text = await answer.text();
    expect(text).toContain('"code":"store_unavailable"');
    expect(text).not.toContain("secret");
  });

  test("what is unexpected is 500 without a word of it, and reported", async () => {
    const store = interceptAppends(createMemoryStore(), () =>
      Promise.reject(new Error("password in stack")),
    );
    const { request, errors } = await startServer({ hostOptions: { store } });
    const answer = await request("/sessions", { json: {} });
    expect(answer.status).toBe(500);
    expect(await codeOf(answer.clone())).toBe("internal");
    expect(await answer.text()).not.toContain("password");
    expect(errors.length).toBeGreaterThan(0);
  });
});
