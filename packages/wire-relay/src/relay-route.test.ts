import {
  createServer as createHttpServer,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import { RelayList } from "@turnwire/protocol";
import { describe, expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../../base/src/test-support/manual-clock.ts";
import { rawRequest } from "../../server/src/4-transport/test-support/raw-request.ts";
import { relay, relaySearch, type RelayWire } from "./wire.ts";
import {
  startServer,
  testToken,
} from "../../server/src/4-transport/test-support/running-server.ts";

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => {
    server.close();
  });
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port;
}

function answering(listener: RequestListener): Promise<number> {
  const server = createHttpServer(listener);
  onTestFinished(() => server.closeAllConnections());
  return listen(server);
}

/** Accepts connections, of which it tells, and never says a word. */
async function silent(onConnection: () => void): Promise<number> {
  const server = createServer((socket) => {
    onConnection();
    socket.on("error", () => undefined);
    onTestFinished(() => {
      socket.destroy();
    });
  });
  return listen(server);
}

/** A port without a listener: one that was just given back. */
async function closed(): Promise<number> {
  const server = createServer();
  const port = await listen(server);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  return port;
}

function portOf({ url = "" }: RelayWire): number {
  return Number(new URL(url).port);
}

describe("the relays of this machine", () => {
  test("are those that greet as one, by port", async () => {
    const clock = new ManualClock();
    let connections = 0;
    let closedConnections = 0;
    const countClose = (outgoing: ServerResponse) =>
      outgoing.socket?.once("close", () => {
        closedConnections += 1;
      });
    const ports = await Promise.all([
      answering((_incoming, outgoing) => countClose(outgoing.end("loop"))),
      answering((_incoming, outgoing) =>
        countClose(outgoing.writeHead(426).end("WebSocket upgrade required")),
      ),
      answering((_incoming, outgoing) => countClose(outgoing.end("<h1>my app</h1>"))),
      silent(() => {
        connections += 1;
      }),
      closed(),
    ]);
    const { request } = await startServer({ wires: [relaySearch(ports)], clock });
    const asked = request("/relays");
    await expect.poll(() => [closedConnections, connections]).toEqual([3, 1]);
    await clock.advance(2_000);
    const list = RelayList.parse(await (await asked).json());
    expect(list.ports).toEqual(ports.toSorted((left, right) => left - right));
    const isOpen = { needs_token: false, is_own: false };
    const expected = [
      { port: ports[0], program: "loop", ...isOpen },
      { port: ports[1], program: "agents-ui", ...isOpen },
    ];
    expect(list.relays).toEqual(expect.arrayContaining(expected));
    expect(list.relays.length).toBe(2);
  });

  test("are found while one of them sends without end", async () => {
    const port = await answering((_incoming, outgoing) => {
      outgoing.writeHead(200);
      const more = (): void => {
        if (outgoing.write("x".repeat(10_000))) setImmediate(more);
        else outgoing.once("drain", more);
      };
      more();
    });
    const { request } = await startServer({
      wires: [relaySearch([port])],
      clock: new ManualClock(),
    });
    expect(await (await request("/relays")).json()).toEqual({ ports: [port], relays: [] });
  });

  test("are also this server's own", async () => {
    const wire = relay({ port: 0 });
    const { request, url } = await startServer({ wires: [wire] });
    const port = portOf(wire);
    expect(await (await request("/relays")).json()).toEqual({
      ports: [port],
      relays: [{ port, program: "turnwire", needs_token: true, is_own: true, web_url: url }],
    });
  });

  test("of other servers are not our own, and need a token where their server does", async () => {
    const wires = [relay({ port: 0 }), relay({ port: 0 })] as const;
    const [open, closedOne] = await Promise.all([
      startServer({ auth: { type: "off" }, wires: [wires[0]] }),
      startServer({ wires: [wires[1]] }),
    ]);
    const ports = wires.map(portOf);
    const { request } = await startServer({ wires: [relaySearch(ports)] });
    const { relays } = RelayList.parse(await (await request("/relays")).json());
    const byPort = ports.map((port) => relays.find((relay) => relay.port === port));
    expect(byPort).toMatchObject([
      { program: "turnwire", needs_token: false, is_own: false, web_url: open.url },
      { program: "turnwire", needs_token: true, is_own: false, web_url: closedOne.url },
    ]);
  });

  test("are looked for once by those who ask at the same time", async () => {
    let greeted = 0;
    const port = await answering((_incoming, outgoing) => {
      greeted += 1;
      setImmediate(() => outgoing.end("loop"));
    });
    const { request } = await startServer({ wires: [relaySearch([port])] });
    await Promise.all(Array.from({ length: 8 }, () => request("/relays")));
    expect(greeted).toBeLessThan(8);
    const before = greeted;
    await request("/relays");
    expect(greeted).toBe(before + 1);
  });

  test("are shown only to those who are logged in and on this machine", async () => {
    const port = await answering((_incoming, outgoing) => outgoing.end("loop"));
    const { url, port: own } = await startServer({
      wires: [relaySearch([port])],
      allowedHosts: ["agents.example"],
    });
    expect((await fetch(`${url}/relays`)).status).toBe(401);
    const answer = await rawRequest(own, [
      "GET /relays HTTP/1.1",
      "Host: agents.example",
      `Authorization: Bearer ${testToken}`,
    ]);
    expect(answer).toContain('{"ports":[],"relays":[]}');
  });

  test("are not looked for where no ports are given", async () => {
    const { request } = await startServer({ wires: [relaySearch([])] });
    expect(await (await request("/relays")).json()).toEqual({ ports: [], relays: [] });
  });
});
