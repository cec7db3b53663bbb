import type { ProjectSettings, WorktreeSettings } from "@turnwire/workspace";
import type { Runtime } from "@turnwire/runtime";
import { demo } from "@turnwire/runtime/demo";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { createServer, request as forward, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type TurnwireClient } from "@turnwire/client";
import {
  createMemoryStore,
  createSessionHost,
  createTurnwireServer,
  type PolicySource,
  type Store,
  type TurnwireServerOptions,
} from "@turnwire/server";
import { createLoginFile } from "@turnwire/server/standalone";
import { relay, relaySearch } from "@turnwire/wire-relay";
import { onTestFinished } from "vitest";
import { recordingLogger } from "../../../../test/support/log-record.ts";
import { builtApp } from "./built-app.ts";

export const testToken = "web-test-token-0123456789-abcdefghijklmnopqrstuvwxyz";

export interface AppServerOptions extends Partial<Omit<TurnwireServerOptions, "host">> {
  /** Where it finds relays; nowhere by default. */
  readonly relayPorts?: readonly number[];
  /** Whether it has a relay of its own, on a free port. */
  readonly hasRelay?: boolean;
  /** The demo runtime without pauses by default. */
  readonly runtimes?: readonly Runtime[];
  /** In memory by default; give one to start a second server on the same sessions. */
  readonly store?: Store;
  /** 0, the default, takes a free one; a fixed one is for a server that comes back. */
  readonly port?: number;
  /** Where agents work; a temporary directory by default. */
  readonly root?: string;
  /** The directories that bound where agents may work; the root by default. */
  readonly roots?: readonly string[];
  readonly projects?: ProjectSettings;
  /** The modes that are built in by default. */
  readonly policy?: PolicySource;
  /** The policy mode of sessions that choose none; they have none by default. */
  readonly defaultPolicyMode?: string;
  /** Where worktrees are made; without it sessions cannot have any. */
  readonly worktrees?: WorktreeSettings;
  /** How long a request waits for a person; an hour by default. */
  readonly requestTimeoutMs?: number;
}

/** A real server with the built app. */
export interface AppServer {
  readonly url: string;
  readonly port: number;
  /** Where agents work, a directory of this test's own. */
  readonly root: string;
  /** A client of its own, logged in by token, to do things behind the browser's back. */
  readonly client: TurnwireClient;
  readonly store: Store;
  /** A fresh link that logs one browser in. */
  readonly loginUrl: () => Promise<string>;
  /** Of its own relay, where it has one. */
  readonly relayPort: number | undefined;
  /** Stops it before the test ends; the store stays open. */
  readonly close: () => Promise<void>;
}

/** Starts a server on a free port; it stops when the test ends. */
export async function startAppServer(options: AppServerOptions = {}): Promise<AppServer> {
  const { runtimes, store = createMemoryStore(), port = 0, root, ...rest } = options;
  const { requestTimeoutMs, roots, projects, worktrees, ...others } = rest;
  const { policy, defaultPolicyMode, relayPorts = [], hasRelay, ...serverOptions } = others;
  const relayWire = hasRelay === true ? relay({ port: 0, searchedPorts: relayPorts }) : undefined;
  const place = root ?? (await temporaryDirectory());
  // Beside the root: a server that comes back on it knows its browsers.
  const logins = `${place}.logins`;
  await mkdir(logins, { recursive: true });
  const host = createSessionHost({
    store,
    runtimes: runtimes ?? [demo({ delayMs: 0 })],
    ...(!runtimes && { defaultRuntime: "demo" }),
    roots: roots ?? [place],
    ...(projects && { projects }),
    ...(policy && { policy }),
    ...(defaultPolicyMode !== undefined && { defaultPolicyMode }),
    ...(worktrees && { worktrees }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token: testToken, logins: createLoginFile(logins) },
    webRoot: await builtApp(),
    logger: recordingLogger(),
    wires: [relayWire ?? relaySearch(relayPorts)],
    ...serverOptions,
  });
  const listening = await server.listen({ port });
  onTestFinished(() => server.close());
  return {
    ...listening,
    root: place,
    store,
    client: createClient({ url: listening.url, token: testToken }),
    loginUrl: () => server.loginUrl(),
    relayPort: relayWire?.url === undefined ? undefined : Number(new URL(relayWire.url).port),
    close: () => server.close(),
  };
}

/** A directory that is gone when the test ends. */
export async function temporaryDirectory(): Promise<string> {
  const path = await realpath(await mkdtemp(join(tmpdir(), "turnwire-web-")));
  onTestFinished(async () => {
    await rm(path, { recursive: true, force: true });
    await rm(`${path}.logins`, { recursive: true, force: true });
  });
  return path;
}

interface ProxyOptions {
  /** Where the proxy serves the app; at its root by default. */
  readonly path?: `/${string}`;
  /** As proxies do that know no WebSockets. */
  readonly refusesUpgrades?: boolean;
}

/** A server behind a proxy, which does not tell it the path. Its pages and login links are those of the proxy. */
export async function startProxiedServer(options: ProxyOptions): Promise<AppServer> {
  const { path = "", refusesUpgrades = false } = options;
  const proxy = createServer();
  const proxyPort = await listenAnywhere(proxy);
  const server = await startAppServer({ allowedHosts: [`127.0.0.1:${proxyPort}`] });
  const forwardTo = ({ method, url = "", headers }: IncomingMessage) => ({
    port: server.port,
    host: "127.0.0.1",
    method,
    path: url.slice(path.length),
    headers,
  });
  proxy.on("request", (incoming, outgoing) => {
    if (!incoming.url?.startsWith(`${path}/`)) {
      outgoing.writeHead(404).end("outside the sub-path");
      return;
    }
    const upstream = forward(forwardTo(incoming), (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  proxy.on("upgrade", (incoming, socket, head) => {
    socket.on("error", () => socket.destroy());
    if (refusesUpgrades) {
      socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
      return;
    }
    const upstream = forward(forwardTo(incoming));
    upstream.on("upgrade", (answer, other, first) => {
      const headers = Object.entries(answer.headers).map(
        ([name, value]) => `${name}: ${String(value)}`,
      );
      socket.write(["HTTP/1.1 101 Switching Protocols", ...headers, "", ""].join("\r\n"));
      socket.write(first);
      other.write(head);
      other.pipe(socket).pipe(other);
      socket.on("error", () => other.destroy());
      other.on("error", () => socket.destroy());
    });
    upstream.on("error", () => socket.destroy());
    upstream.end();
  });
  const url = `http://127.0.0.1:${proxyPort}${path}`;
  return {
    ...server,
    url,
    loginUrl: async () => `${url}${new URL(await server.loginUrl()).pathname}`,
  };
}

async function listenAnywhere(server: Server): Promise<number> {
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  // A TCP server that listens has an address with a port.
  return (server.address() as AddressInfo).port;
}
