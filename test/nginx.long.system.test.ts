import { demo } from "@turnwire/runtime/demo";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, request as httpRequest, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type ClientOptions } from "@turnwire/client";
import { pageKeyHeader, type SessionEvent } from "@turnwire/protocol";
import { createMemoryStore, createTurnwireServer, createSessionHost } from "@turnwire/server";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { clientAddressFrom } from "../packages/cli/src/configuration/trusted-proxy.ts";
import { findNginx, startNginx, type NginxOptions } from "./support/nginx.ts";

const token = "nginx-test-token-0123456789-abcdefghijklmnopqrs";
const program = findNginx();
if (program === undefined) {
  process.stderr.write(
    "nginx is not installed, so deploy/nginx is not tested: apt-get install nginx-light\n",
  );
}

async function startTurnwire() {
  const root = await mkdtemp(join(tmpdir(), "turnwire-nginx-root-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const clientAddress = clientAddressFrom(["127.0.0.1"]);
  const server = await createTurnwireServer({
    host: createSessionHost({
      store: createMemoryStore(),
      runtimes: [demo({ delayMs: 0 })],
      defaultRuntime: "demo",
      roots: [root],
    }),
    auth: { type: "token", token },
    allowedHosts: ["agents.example.com"],
    authFailuresPerMinute: 2,
    ...(clientAddress && { clientAddress }),
  });
  onTestFinished(() => server.close());
  const { port } = await server.listen();
  return { server, port };
}

/** Answers each request with a status, as a host that drains does. */
async function startDraining() {
  const seen: string[] = [];
  const server = createServer((incoming, outgoing) => {
    seen.push(`${incoming.method} ${incoming.url}`);
    outgoing.writeHead(503).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { seen, port: (server.address() as AddressInfo).port };
}

describe.runIf(program)("behind nginx with the files of deploy/nginx", () => {
  async function proxied(options: Omit<NginxOptions, "program">) {
    const nginx = await startNginx({ program: program ?? "", ...options });
    onTestFinished(() => nginx.close());
    return nginx;
  }

  const transports: Record<string, Partial<ClientOptions>> = {
    "server-sent events": { transport: "sse" },
    WebSocket: {
      transport: "websocket",
      createWebSocket: (address, protocols) => new WebSocket(address, protocols),
    },
  };
  const sites = [
    ["turnwire.conf", ""],
    ["turnwire-subpath.conf", "/agents"],
  ] as const;

  for (const [site, path] of sites) {
    test.each(Object.entries(transports))(
      `${site}: a conversation is followed live over %s`,
      async (_name, options) => {
        const { port } = await startTurnwire();
        const nginx = await proxied({ site, servers: [port] });
        const client = createClient({ url: `${nginx.url}${path}`, token, ...options });
        const { session_id: id } = await client.sessions.create();
        const seen: SessionEvent[] = [];
        const stop = new AbortController();
        let sent: Promise<unknown> | undefined;
        for await (const event of client.events(id, { signal: stop.signal })) {
          seen.push(event);
          // Sent when the stream is known to be open: what follows arrives live.
          sent ??= client.sessions.message(id, { message: "/plan" });
          if (event.type === "done") break;
        }
        stop.abort();
        await sent;
        expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_event, index) => index + 1));
        expect(seen.at(-1)?.type).toBe("done");
      },
    );

    test(`${site}: a browser logs in by its link and uses what it got`, async () => {
      const { server, port } = await startTurnwire();
      const nginx = await proxied({ site, servers: [port] });
      const link = new URL(await server.loginUrl(`${nginx.url}${path}`));
      const page = await fetch(link, { headers: { accept: "text/html" } });
      expect(page.headers.get("content-type")).toContain("text/html");
      const answer = await fetch(link, { method: "POST", headers: { origin: nginx.url } });
      const { page_key } = (await answer.json()) as { page_key: string };
      const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
      const headers = { cookie, [pageKeyHeader]: page_key, origin: nginx.url };
      expect((await fetch(`${nginx.url}${path}/sessions`, { headers })).status).toBe(200);
      const other = { ...headers, origin: "https://elsewhere.example" };
      expect((await fetch(`${nginx.url}${path}/sessions`, { headers: other })).status).toBe(403);
    });
  }

  test("the path without its slash leads to the page below it", async () => {
    const { port } = await startTurnwire();
    const nginx = await proxied({ site: "turnwire-subpath.conf", servers: [port] });
    const answer = await fetch(`${nginx.url}/agents`, { redirect: "manual" });
    expect(answer.status).toBe(308);
    expect(new URL(answer.headers.get("location") ?? "", nginx.url).pathname).toBe("/agents/");
    expect((await fetch(`${nginx.url}/agents/health`)).status).toBe(200);
  });

  test("the name of the site reaches the server, and a name that it does not know is refused", async () => {
    const { port } = await startTurnwire();
    const nginx = await proxied({ site: "turnwire.conf", servers: [port] });
    expect((await get(nginx.url, { host: "agents.example.com" })).statusCode).toBe(200);
    expect((await get(nginx.url, { host: "elsewhere.example" })).statusCode).toBe(421);
  });

  test("a message of two megabytes gets through", async () => {
    const { port } = await startTurnwire();
    const nginx = await proxied({ site: "turnwire.conf", servers: [port] });
    const client = createClient({ url: nginx.url, token });
    const { session_id: id } = await client.sessions.create();
    const sent = await client.sessions.message(id, { message: "a".repeat(2 * 1024 * 1024) });
    expect(sent.seq).toBeGreaterThan(1);
  });

  test("who guesses tokens locks only their own address out", async () => {
    const { port } = await startTurnwire();
    const nginx = await proxied({ site: "turnwire.conf", servers: [port] });
    const guess = { path: "/sessions", authorization: "Bearer wrong", localAddress: "127.0.0.2" };
    const statuses: (number | undefined)[] = [];
    for (let count = 0; count < 3; count++) {
      // What a client writes into the header itself does not make it another.
      const forwarded = `192.0.2.${count}`;
      statuses.push((await get(nginx.url, { ...guess, forwarded })).statusCode);
    }
    expect(statuses).toEqual([401, 401, 429]);
    const other = { ...guess, localAddress: "127.0.0.3" };
    expect((await get(nginx.url, other)).statusCode).toBe(401);
  });

  test("what a host that drains does not answer is read from another", async () => {
    const draining = await startDraining();
    const { port } = await startTurnwire();
    const nginx = await proxied({ site: "turnwire.conf", servers: [draining.port, port] });
    for (let count = 0; count < 6; count++) {
      expect((await fetch(`${nginx.url}/health`)).status).toBe(200);
    }
    expect(new Set(draining.seen)).toEqual(new Set(["GET /health"]));
  });

  test("a host that is gone is not noticed, by writes neither", async () => {
    const { port } = await startTurnwire();
    const gone = await startTurnwire();
    const nginx = await proxied({ site: "turnwire.conf", servers: [gone.port, port] });
    await gone.server.close();
    const client = createClient({ url: nginx.url, token, sendAttempts: 1 });
    for (let count = 0; count < 4; count++) {
      expect((await client.sessions.create()).session_id).not.toBe("");
    }
  });
});

interface GetOptions {
  readonly path?: string;
  readonly host?: string;
  readonly authorization?: string;
  readonly forwarded?: string;
  readonly localAddress?: string;
}

/** A GET of which the test decides what `fetch` does not let it decide. */
async function get(url: string, options: GetOptions): Promise<IncomingMessage> {
  const { path = "/health", host, authorization, forwarded, localAddress } = options;
  const request = httpRequest(new URL(path, url), {
    headers: {
      ...(host !== undefined && { host }),
      ...(authorization !== undefined && { authorization }),
      ...(forwarded !== undefined && { "x-forwarded-for": forwarded }),
    },
    ...(localAddress !== undefined && { localAddress }),
  }).end();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  answer.resume();
  await once(answer, "end");
  return answer;
}
