import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryStore } from "@turnwire/log";
import { describe, expect, onTestFinished, test } from "vitest";
import { demo } from "@turnwire/runtime/demo";
import { SessionHost } from "../3-host/session-host.ts";
import type { AuthOptions } from "./auth/auth.ts";
import { createTurnwireServer, type TurnwireServer } from "./server.ts";
import { codeOf, testToken } from "./test-support/running-server.ts";
import { refusedUpgrade } from "./test-support/socket-client.ts";

const headers = { authorization: `Bearer ${testToken}` };

/** A server inside another one, which passes on what `prepare` has looked at first. */
async function mount(
  prepare: (incoming: IncomingMessage) => void | Promise<void> = () => undefined,
  auth: AuthOptions = { type: "token", token: testToken },
): Promise<{ server: TurnwireServer; url: string }> {
  const host = new SessionHost({
    store: createMemoryStore(),
    runtimes: [demo({ delayMs: 0 })],
    defaultRuntime: "demo",
    roots: [process.cwd()],
  });
  const server = await createTurnwireServer({ host, auth, mountPath: "/agents/" });
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    await prepare(incoming);
    if (!server.handle(incoming, outgoing)) outgoing.writeHead(204).end();
  };
  const outer = createServer((incoming, outgoing) => void pass(incoming, outgoing));
  outer.on("upgrade", (incoming, socket, head) => {
    void prepare(incoming);
    if (!server.upgrade(incoming, socket, head)) socket.destroy();
  });
  outer.listen(0, "127.0.0.1");
  await once(outer, "listening");
  onTestFinished(async () => {
    await server.close();
    outer.closeAllConnections();
    outer.close();
  });
  return { server, url: `http://127.0.0.1:${(outer.address() as AddressInfo).port}` };
}

describe("a mounted server", () => {
  test("leaves what is not below its path to others", async () => {
    const { url } = await mount();
    expect((await fetch(`${url}/sessions`, { headers })).status).toBe(204);
    expect((await fetch(`${url}/agentsandmore`, { headers })).status).toBe(204);
    expect((await fetch(`${url}/agents/sessions`, { headers })).status).toBe(200);
  });

  test("sends those to its slash who come without it, so that its pages find their parts", async () => {
    const { url } = await mount();
    const answer = await fetch(`${url}/agents?x=1`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([308, "/agents/?x=1"]);
  });

  test("takes a body that a parser has read, checked like any other", async () => {
    const bodies = new Map<string, unknown>([
      ["/agents/sessions?parsed", { title: "parsed" }],
      ["/agents/sessions?text", '{"title":"text"}'],
      ["/agents/sessions?bytes", Buffer.from('{"title":"bytes"}')],
      ["/agents/sessions?wrong", '{"__proto__":1}'],
    ]);
    const { url } = await mount(async (incoming) => {
      for await (const _chunk of incoming);
      const body = bodies.get(incoming.url ?? "");
      if (body !== undefined) Object.assign(incoming, { body });
    });
    const post = (query: string): Promise<Response> =>
      fetch(`${url}/agents/sessions?${query}`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: "{}",
      });
    for (const title of ["parsed", "text", "bytes"]) {
      const answer = await post(title);
      expect([answer.status, await answer.json()]).toMatchObject([201, { title }]);
    }
    expect(await codeOf(await post("wrong"))).toBe("invalid_request");
    const lost = await post("lost");
    expect([lost.status, await lost.text()]).toEqual([400, expect.stringContaining("was read")]);
  });

  test("answers on loopback only where it has no auth", async () => {
    let localAddress = "127.0.0.1";
    const { url } = await mount(
      ({ socket }) => {
        Object.defineProperty(socket, "localAddress", { value: localAddress, configurable: true });
      },
      { type: "off" },
    );
    const status = async (): Promise<number> => (await fetch(`${url}/agents/sessions`)).status;
    for (localAddress of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect(await status()).toBe(200);
    localAddress = "192.0.2.7";
    expect(await status()).toBe(403);
    expect(await refusedUpgrade(`${url}/agents/ws`)).toMatchObject({ status: 403 });
  });

  test("makes login links below the address that people know", async () => {
    const { server } = await mount();
    await expect(server.loginUrl()).rejects.toThrow("listen first");
    expect(await server.loginUrl("https://app.example/agents")).toMatch(
      /^https:\/\/app\.example\/agents\/login\/\S+$/,
    );
  });

  test("refuses a path that is none, and answers everywhere else with 404 when it listens itself", async () => {
    const { server } = await mount();
    const { url } = await server.listen();
    expect((await fetch(`${url}/agents/sessions`, { headers })).status).toBe(200);
    expect((await fetch(`${url}/sessions`, { headers })).status).toBe(404);
    expect(await refusedUpgrade(`${url}/ws`, { headers })).toMatchObject({ status: 404 });
    expect(await server.loginUrl()).toContain(`${url}/agents/login/`);
  });
});
