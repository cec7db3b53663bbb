import { describe, expect, test } from "vitest";
import { rawRequest, sendRaw, statusOf } from "../test-support/raw-request.ts";
import { codeOf, startServer, testToken } from "../test-support/running-server.ts";

const authorization = `Authorization: Bearer ${testToken}`;

describe("the Host header", () => {
  test("loopback names pass with any port, as a tunnel has one of its own, in any case", async () => {
    const { port } = await startServer();
    for (const name of ["127.0.0.1", "localhost", "LocalHost", "[::1]"]) {
      for (const host of [`${name}:${port}`, `${name}:8080`, name]) {
        const answer = await rawRequest(port, ["GET /health HTTP/1.1", `Host: ${host}`]);
        expect(`${host} ${statusOf(answer)}`).toBe(`${host} 200`);
      }
    }
  });

  test.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "evil.example:PORT",
    "localhost.:PORT",
    "user@localhost:PORT",
    "localhost:PORT:PORT",
    "localhost:PORT/x",
    "127.1:PORT",
    "2130706433:PORT",
    "0.0.0.0:PORT",
    "[::ffff:127.0.0.1]:PORT",
    "",
    "*",
  ])("%j is 421, on plain routes, streams and upgrades alike", async (name) => {
    const { port, createSession } = await startServer();
    const id = await createSession();
    const host = `Host: ${name.replaceAll("PORT", String(port))}`;
    const upgrade = [
      "Connection: Upgrade",
      "Upgrade: websocket",
      "Sec-WebSocket-Version: 13",
      "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
    ];
    const answers = [
      await rawRequest(port, ["GET /health HTTP/1.1", host]),
      await rawRequest(port, ["GET /sessions HTTP/1.1", host, authorization]),
      await rawRequest(port, [`GET /sessions/${id}/events HTTP/1.1`, host, authorization]),
      await sendRaw(
        port,
        [`GET /sessions/${id}/ws HTTP/1.1`, host, authorization, ...upgrade, "", ""].join("\r\n"),
      ),
    ];
    expect(answers.map(statusOf)).toEqual([421, 421, 421, 421]);
    for (const answer of answers) {
      expect(answer).toContain('"code":"host_not_allowed"');
      expect(answer).not.toContain(id);
    }
  });

  test("none, two, or a whole address in the request line are 421", async () => {
    const { port } = await startServer();
    const own = `Host: 127.0.0.1:${port}`;
    const answers = [
      await rawRequest(port, ["GET /health HTTP/1.1"]),
      await rawRequest(port, ["GET /health HTTP/1.0"]),
      await rawRequest(port, ["GET /health HTTP/1.1", own, own]),
      await rawRequest(port, ["GET /health HTTP/1.1", own, "Host: evil.example"]),
      await rawRequest(port, [`GET http://evil.example/health HTTP/1.1`, own]),
      await rawRequest(port, [`GET http://127.0.0.1:${port}/health HTTP/1.1`, own]),
      await rawRequest(port, ["OPTIONS * HTTP/1.1", own]),
    ];
    expect(answers.map(statusOf)).toEqual(answers.map(() => 421));
  });

  test("a configured name passes with the own port, with the ports of the web, or with its own", async () => {
    const { port } = await startServer({ allowedHosts: ["agents.example", "exact.example:8443"] });
    const status = async (host: string): Promise<number> =>
      statusOf(await rawRequest(port, ["GET /health HTTP/1.1", `Host: ${host}`]));
    expect(await status("agents.example")).toBe(200);
    expect(await status("agents.example:443")).toBe(200);
    expect(await status(`agents.example:${port}`)).toBe(200);
    expect(await status("agents.example:9999")).toBe(421);
    expect(await status("exact.example:8443")).toBe(200);
    expect(await status("exact.example")).toBe(421);
    expect(await status("x.agents.example")).toBe(421);
  });
});

describe("the Origin header", () => {
  test.each([
    "https://evil.example",
    "null",
    "http://localhost:9999",
    "file://",
    "https://evil.example, http://localhost",
  ])("%j is 403 everywhere, and learns nothing", async (origin) => {
    const { request, createSession } = await startServer();
    const id = await createSession();
    for (const path of ["/health", "/sessions", `/sessions/${id}/events`]) {
      const answer = await request(path, { headers: { origin } });
      expect(answer.status).toBe(403);
      expect(answer.headers.get("access-control-allow-origin")).toBeNull();
      expect(await codeOf(answer)).toBe("origin_not_allowed");
    }
    const preflight = await request("/sessions", {
      method: "OPTIONS",
      headers: { origin, "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(403);
    expect(preflight.headers.get("access-control-allow-methods")).toBeNull();
  });

  test("a page passes at the host and port that it was loaded from, also through a tunnel", async () => {
    const { port } = await startServer();
    const status = async (host: string, origin: string): Promise<number> =>
      statusOf(
        await rawRequest(port, [
          "GET /sessions HTTP/1.1",
          `Host: ${host}`,
          `Origin: ${origin}`,
          authorization,
        ]),
      );
    for (const name of ["127.0.0.1", "localhost", "[::1]"]) {
      expect(await status(`${name}:${port}`, `http://${name}:${port}`)).toBe(200);
      expect(await status(`${name}:8080`, `http://${name}:8080`)).toBe(200);
      expect(await status(`${name}:${port}`, `http://${name}:8080`)).toBe(403);
      expect(await status(`${name}:8080`, `http://${name}:${port}`)).toBe(403);
    }
    expect(await status("localhost", "http://localhost")).toBe(200);
    expect(await status("localhost", "http://localhost:443")).toBe(403);
    // Another program may listen there: [::1] and 127.0.0.1 each have that port.
    expect(await status(`127.0.0.1:${port}`, `http://localhost:${port}`)).toBe(403);
    expect(await status(`127.0.0.1:${port}`, `http://[::1]:${port}`)).toBe(403);
  });

  test("a page of another port cannot open a WebSocket", async () => {
    const { port, createSession } = await startServer();
    const id = await createSession();
    const answer = await sendRaw(
      port,
      [
        `GET /sessions/${id}/ws HTTP/1.1`,
        `Host: 127.0.0.1:${port}`,
        "Origin: http://127.0.0.1:3000",
        authorization,
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "",
        "",
      ].join("\r\n"),
    );
    expect(statusOf(answer)).toBe(403);
  });

  test("a page under a configured name passes behind a proxy that names another host", async () => {
    const { request } = await startServer({ allowedHosts: ["agents.example"] });
    const headers = { origin: "https://agents.example" };
    expect((await request("/sessions", { headers })).status).toBe(200);
  });

  test("an allowed origin may read answers, and learns beforehand what it may send", async () => {
    const origin = "https://app.example";
    const { request } = await startServer({ allowedOrigins: [`${origin}/`] });
    const answer = await request("/sessions", { headers: { origin } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBe(origin);
    expect(answer.headers.get("vary")).toBe("Origin");
    const preflight = await request("/sessions", {
      method: "OPTIONS",
      headers: { origin, authorization: "", "access-control-request-method": "POST" },
    });
    expect(preflight.status).toBe(204);
    const methods = preflight.headers.get("access-control-allow-methods");
    expect(methods).toBe("GET, POST, PUT, PATCH, DELETE");
    expect(preflight.headers.get("access-control-allow-headers")).toBe(
      "Authorization, Content-Type, Last-Event-ID",
    );
  });

  test("without Origin nothing is said about origins", async () => {
    const { request } = await startServer({ allowedOrigins: ["https://app.example"] });
    const answer = await request("/sessions");
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("bodies", () => {
  test.each([
    ["text/plain", "{}"],
    ["application/x-www-form-urlencoded", "message=hi"],
    ["multipart/form-data; boundary=x", "--x--"],
    ["text/json", "{}"],
    ["application/jsonp", "{}"],
    ["", "{}"],
  ])("the type %j is 415", async (type, body) => {
    const { request, createSession } = await startServer();
    const id = await createSession();
    const headers = { "content-type": type };
    const answer = await request(`/sessions/${id}/message`, { method: "POST", headers, body });
    expect(answer.status).toBe(415);
    expect(await codeOf(answer)).toBe("unsupported_media_type");
  });

  test("a compressed body is 415: nothing is unpacked", async () => {
    const { request } = await startServer();
    const headers = { "content-type": "application/json", "content-encoding": "gzip" };
    const answer = await request("/sessions", { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(415);
  });

  test("a charset beside the type is fine", async () => {
    const { request } = await startServer();
    const headers = { "content-type": "application/json; charset=utf-8" };
    const answer = await request("/sessions", { method: "POST", headers, body: "{}" });
    expect(answer.status).toBe(201);
  });

  test("a body over the limit is 413, announced or in chunks", async () => {
    const { request, port } = await startServer({ maxBodyBytes: 1000 });
    const announced = await request("/sessions", { json: { title: "x".repeat(2000) } });
    expect(announced.status).toBe(413);
    expect(await codeOf(announced)).toBe("payload_too_large");
    const chunk = `3e8\r\n${"x".repeat(1000)}\r\n`;
    const lines = [
      "POST /sessions HTTP/1.1",
      `Host: 127.0.0.1:${port}`,
      authorization,
      "Content-Type: application/json",
      "Transfer-Encoding: chunked",
    ];
    const chunked = await rawRequest(port, lines, `${chunk}${chunk}0\r\n\r\n`);
    expect(statusOf(chunked)).toBe(413);
    expect(chunked).toContain("payload_too_large");
  });

  test.each([
    ["broken", "{"],
    ["empty", ""],
    ["a top-level null", "null"],
    ["a top-level array", "[]"],
    ["a top-level string", '"x"'],
    ["NaN", '{"params":{"x":NaN}}'],
    ["a number without end", '{"params":{"x":1e999}}'],
    ["a prototype", '{"params":{"__proto__":{"x":1}}}'],
    ["not UTF-8", Buffer.from('{"title":"\xff"}', "latin1")],
    ["65 levels", `{"params":${'{"a":'.repeat(64)}1${"}".repeat(64)}}`],
    ["100,000 levels", `${"[".repeat(100_000)}${"]".repeat(100_000)}`],
    ["an object with constructor as data", '{"params":{"constructor":{"prototype":{"x":1}}}}'],
    ["an object with unknown fields", '{"no_such_field":1}'],
  ])("JSON that is %s is 400, never 500", async (_name, body) => {
    const { request, errors } = await startServer();
    const headers = { "content-type": "application/json" };
    const answer = await request("/sessions", { method: "POST", headers, body });
    expect(answer.status).toBe(400);
    expect(await codeOf(answer)).toBe("invalid_request");
    expect(errors).toEqual([]);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });

  test("JSON with a field that is not known is refused with its name", async () => {
    const { request } = await startServer();
    const headers = { "content-type": "application/json" };
    const answer = await request("/sessions", { method: "POST", headers, body: '{"modle":"x"}' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain("modle");
  });

  test.each([
    ["twice the same key", '{"title":"a","title":"b"}'],
    ["a lone surrogate", '{"title":"\\ud800"}'],
  ])("JSON with %s is harmless", async (_name, body) => {
    const { request } = await startServer();
    const headers = { "content-type": "application/json" };
    const answer = await request("/sessions", { method: "POST", headers, body });
    expect(answer.status).toBe(201);
  });
});

describe("every answer", () => {
  test("carries the headers that keep browsers careful", async () => {
    const { request } = await startServer();
    const answers = [
      await request("/health"),
      await request("/sessions"),
      await request("/none"),
      await request("/sessions", { headers: { authorization: "Bearer wrong" } }),
      await request("/", { headers: { origin: "https://evil.example" } }),
    ];
    for (const { headers } of answers) {
      expect(headers.get("x-content-type-options")).toBe("nosniff");
      expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
      expect(headers.get("cache-control")).toContain("no-store");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
    }
  });

  test("bytes that are not HTTP get a 400 of the usual shape", async () => {
    const { port } = await startServer();
    const answer = await sendRaw(port, "HELLO\r\n\r\n");
    expect(statusOf(answer)).toBe(400);
    expect(answer).toContain('"code":"invalid_request"');
  });
});
