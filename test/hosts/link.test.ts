import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { Link } from "./link.ts";

/** Sends back what it gets. */
async function startEcho(): Promise<{ readonly port: number; close(): void }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.pipe(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = (): void => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  onTestFinished(close);
  return { port: (server.address() as AddressInfo).port, close };
}

async function startLink(...ports: readonly number[]) {
  const link = new Link(() => ports.map((port) => ({ port, host: "127.0.0.1" })));
  const port = await link.listen();
  onTestFinished(() => link.close());
  return { link, port };
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("utf8").on("error", () => undefined);
  onTestFinished(() => void socket.destroy());
  await once(socket, "connect");
  return socket;
}

async function echo(socket: Socket, text: string): Promise<string> {
  socket.write(text);
  const [answer] = await once(socket, "data");
  return String(answer);
}

let echoServer: Awaited<ReturnType<typeof startEcho>>;
beforeEach(async () => {
  echoServer = await startEcho();
});

test("passes bytes both ways, over a port and over a socket file", async () => {
  const { port } = await startLink(echoServer.port);
  expect(await echo(await open(port), "over a port")).toBe("over a port");

  const directory = await mkdtemp(join(tmpdir(), "turnwire-link-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = new Link(() => [{ port: echoServer.port, host: "127.0.0.1" }]);
  await file.listenOn(join(directory, "socket"));
  onTestFinished(() => file.close());
  const socket = connect(join(directory, "socket")).setEncoding("utf8");
  onTestFinished(() => void socket.destroy());
  expect(await echo(socket, "over a file")).toBe("over a file");
  file.state = "cut";
  const refused = connect(join(directory, "socket")).on("error", () => undefined);
  await new Promise((resolve) => refused.once("close", resolve));
});

test("cut, it breaks what is open and refuses what is new; open again, it takes new ones", async () => {
  const { link, port } = await startLink(echoServer.port);
  const before = await open(port);
  await echo(before, "there");
  link.state = "cut";
  await once(before, "close");
  const refused = connect(port, "127.0.0.1").on("error", () => undefined);
  await new Promise((resolve) => refused.once("close", resolve));
  link.state = "open";
  expect(await echo(await open(port), "again")).toBe("again");
});

test("silent, it keeps connections and lets nothing pass; what was on its way arrives when it is open", async () => {
  const { link, port } = await startLink(echoServer.port);
  const old = await open(port);
  await echo(old, "there");
  link.state = "silent";
  const received: string[] = [];
  const young = await open(port);
  for (const socket of [old, young]) socket.on("data", (text) => received.push(String(text)));
  old.write("old");
  young.write("young");
  // Another link on the same machine is quick enough to show that this one holds everything back.
  const { port: other } = await startLink(echoServer.port);
  await echo(await open(other), "elsewhere");
  expect(received).toEqual([]);
  link.state = "open";
  await expect.poll(() => received.toSorted()).toEqual(["old", "young"]);
});

test("leads to the next target when one does not answer", async () => {
  const gone = await startEcho();
  gone.close();
  const { port } = await startLink(gone.port, echoServer.port);
  expect(await echo(await open(port), "next")).toBe("next");
});

test("breaks a connection that no target takes", async () => {
  const gone = await startEcho();
  gone.close();
  const { port } = await startLink(gone.port);
  const socket = await open(port);
  await once(socket, "close");
  expect(socket.destroyed).toBe(true);
});
