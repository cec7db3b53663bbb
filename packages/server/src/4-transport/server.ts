import { limits } from "@turnwire/protocol";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";
import { type Clock, type Logger, systemClock } from "@turnwire/base";
import { readServerVersion } from "../1-runtime/server-version.ts";
import type { SessionHost } from "../2-session/session-host.ts";
import { FrameLogs } from "./frame-log/frame-logs.ts";
import type { FrameRingLimits } from "./frame-log/frame-ring.ts";
import { Authenticator, type AuthOptions } from "./auth.ts";
import { Gate } from "./gate.ts";
import { Guard } from "./guard.ts";
import { Heartbeat } from "./heartbeat.ts";
import { isLoopback } from "./host-list.ts";
import type { LoginRecord } from "./login-store.ts";
import { Metrics } from "./metrics.ts";
import { ReaderHub } from "./reader-hub.ts";
import { RequestListener } from "./request-listener.ts";
import { logRequest } from "./request-log.ts";
import { RightsWatch } from "./rights-watch.ts";
import { createRouter } from "./router.ts";
import { createRouteTable, type RouteTable } from "./route-table.ts";
import { TransportError } from "./transport-error.ts";
import { Upgrader } from "./upgrade.ts";
import type { WebkitOptions } from "./webkit-position.ts";

export interface TurnwireServerOptions {
  readonly host: SessionHost;
  readonly auth: AuthOptions;
  /** Names beside loopback that the server answers to: `name`, or `name:port`. */
  readonly allowedHosts?: readonly string[];
  /** Origins of other sites whose pages may use the server. */
  readonly allowedOrigins?: readonly string[];
  /** A built web application to serve instead of the welcome page. */
  readonly webRoot?: string;
  /** What the commands on the login page need so that they reach this server, such as `--data /srv/turnwire`: whoever opens the page sees it. */
  readonly cliOptions?: string;
  /** How far back agent-webkit's clients can resume. */
  readonly webkit?: WebkitOptions;
  /** How large a request may be, and how long it may take to arrive: for embedders who accept large images. */
  readonly maxBodyBytes?: number;
  readonly bodyTimeoutMs?: number;
  readonly stallMs?: number;
  readonly keepaliveMs?: number;
  /** How long readers and agents have to end when the server closes. */
  readonly drainMs?: number;
  /** Wrong credentials per minute and address that get 401 before 429; more where many people share an address. */
  readonly authFailuresPerMinute?: number;
  /** Whose wrong credentials are counted together, e.g. from a proxy's header; the connection's address by default. */
  readonly clientAddress?: (incoming: IncomingMessage) => string;
  /** How often the rights of those with an open stream or WebSocket are checked. */
  readonly rightsCheckMs?: number;
  /** How many of a session's newest frames stay encoded while it has readers: less saves memory, more saves reads. */
  readonly frameRing?: FrameRingLimits;
  readonly clock?: Clock;
  /** Where errors go that clients only see as "internal"; the logger by default, else the console. */
  onError?(error: unknown): void;
  /** What the server does, for whoever runs it. */
  readonly logger?: Logger;
}

export interface ListenOptions {
  /** An address; loopback by default. */
  readonly host?: string;
  /** 0, the default, takes any free port. */
  readonly port?: number;
}

export interface Listening {
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** What is read before the server is made. */
interface LoadedFacts {
  readonly version: string;
  readonly loginRecords: readonly LoginRecord[];
}

/** Makes a server over a session host; nothing is open before `listen`. */
export async function createTurnwireServer(
  options: TurnwireServerOptions,
): Promise<TurnwireServer> {
  const { auth } = options;
  const loginRecords = auth.type === "token" ? await auth.logins?.load() : undefined;
  return new TurnwireServer(options, {
    version: await readServerVersion(),
    loginRecords: loginRecords ?? [],
  });
}

/** Serves the sessions of a host over HTTP, SSE and WebSocket. Made by `createTurnwireServer`. */
export class TurnwireServer {
  readonly #options: TurnwireServerOptions;
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #frameLogs: FrameLogs;
  readonly #hub: ReaderHub;
  readonly #authenticator: Authenticator;
  readonly #table: RouteTable;
  readonly #server: Server;
  /** Connections on which nothing was ever asked: Node does not count them as idle, so closing would wait for them. */
  readonly #unused = new Set<Socket>();
  #listening: Listening | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: TurnwireServerOptions, { version, loginRecords }: LoadedFacts) {
    const { host, auth, clock = systemClock, clientAddress } = options;
    this.#options = options;
    this.#clock = clock;
    this.#frameLogs = new FrameLogs({
      clock,
      ...(options.frameRing && { ring: options.frameRing }),
    });
    this.#metrics = new Metrics(
      () => ({ ...host.metrics, framedLogs: this.#frameLogs.size }),
      () => host.storeHealth(),
    );
    const heartbeat = new Heartbeat(clock);
    const onError = (error: unknown): void => this.#report(error);
    const rights = new RightsWatch({
      heartbeat,
      everyMs: options.rightsCheckMs ?? limits.rightsCheckMs,
      currentPrincipal: (incoming) => this.#authenticator.currentPrincipal(incoming),
      onError,
    });
    this.#hub = new ReaderHub({
      frameLogs: this.#frameLogs,
      heartbeat,
      metrics: this.#metrics,
      rights,
      stallMs: options.stallMs ?? limits.stallMs,
      keepaliveMs: options.keepaliveMs ?? limits.keepaliveMs,
    });
    this.#authenticator = new Authenticator({
      auth,
      clock,
      failuresPerMinute: options.authFailuresPerMinute ?? limits.authFailuresPerMinute,
      ...(clientAddress && { clientAddress }),
      loginRecords,
      onFailure: () => this.#metrics.authFailures.inc(),
      onRevoked: () => rights.checkAll(),
      onError,
    });
    this.#table = createRouteTable({
      host,
      hub: this.#hub,
      metrics: this.#metrics,
      authenticator: this.#authenticator,
      version,
      hasWebRoot: options.webRoot !== undefined,
      ...(options.cliOptions !== undefined && { cliOptions: options.cliOptions }),
      ...(options.webkit && { webkit: options.webkit }),
      isDraining: () => this.isDraining,
      onError,
    });
    this.#server = this.#createServer();
  }

  /** Every path the server answers on, for tests and documentation. */
  get table(): RouteTable {
    return this.#table;
  }

  get isDraining(): boolean {
    return this.#closing !== undefined;
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    const { host = "127.0.0.1", port = 0 } = options;
    if (this.#authenticator.isOff && !isLoopback(host)) {
      throw new TransportError(
        "bind_insecure",
        `without auth the server only listens on loopback, not on ${host}: give it a token, or listen on 127.0.0.1`,
      );
    }
    await this.#bind(host, port);
    const address = this.#server.address();
    const bound = typeof address === "object" && address ? address.port : port;
    this.#listening = { url: `http://${nameOf(host)}:${bound}`, host, port: bound };
    return this.#listening;
  }

  /** A link that logs one browser in, once, within ten minutes. */
  loginUrl(): string {
    if (!this.#listening) throw new TransportError("not_listening", "listen first");
    const code = this.#authenticator.browsers?.issueCode();
    if (code === undefined) {
      throw new TransportError("login_unavailable", "login links need auth by token");
    }
    return `${this.#listening.url}/login/${code}`;
  }

  /** Stops accepting, puts every session to sleep, lets readers go; cuts off what is left after a while. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const hasClosed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    for (const socket of this.#unused) socket.destroy();
    const abort = new AbortController();
    const isLate = this.#clock.wait(this.#options.drainMs ?? limits.drainMs, abort.signal);
    try {
      await Promise.race([this.#options.host.close().then(() => hasClosed), isLate]);
    } finally {
      abort.abort();
      this.#hub.destroy();
      this.#server.closeAllConnections();
      this.#frameLogs.close();
      this.#metrics.close();
    }
  }

  #createServer(): Server {
    const { allowedHosts = [], allowedOrigins = [], webRoot, cliOptions, logger } = this.#options;
    const maxBytes = this.#options.maxBodyBytes ?? limits.bodyBytes;
    const timeoutMs = this.#options.bodyTimeoutMs ?? limits.bodyTimeoutMs;
    const onError = (error: unknown): void => this.#report(error);
    const isDraining = (): boolean => this.isDraining;
    const guard = new Guard({ allowedHosts, allowedOrigins });
    const gate = new Gate(this.#authenticator, guard);
    const paths = new WeakMap<object, string>();
    const router = createRouter({
      routes: this.#table.routes,
      gate,
      body: { maxBytes, timeoutMs, clock: this.#clock },
      ...(webRoot !== undefined && { webRoot }),
      ...(cliOptions !== undefined && { cliOptions }),
      onRoute: (outgoing, path) => paths.set(outgoing, path),
      onError,
    });
    const listener = new RequestListener({
      guard,
      router,
      isDraining,
      onAnswered: (incoming, outgoing) => {
        const route = paths.get(outgoing) ?? "none";
        const status = outgoing.statusCode;
        this.#metrics.countRequest(incoming, status, route);
        if (logger) logRequest(logger, { incoming, status, route });
        if (this.isDraining) this.#server.closeIdleConnections();
      },
      onError,
    });
    const routes = this.#table.sockets;
    const upgrader = new Upgrader({
      guard,
      gate,
      routes,
      maxFrameBytes: maxBytes,
      isDraining,
      onRefused: (incoming, status) => {
        if (logger) logRequest(logger, { incoming, status, route: "websocket" });
      },
      onError,
    });
    const server = createServer({
      // A request without Host gets our own 421.
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: timeoutMs + limits.headersTimeoutMs,
    });
    server.on("connection", (socket) => {
      this.#unused.add(socket);
      socket.once("close", () => this.#unused.delete(socket));
    });
    server.on("request", (incoming, outgoing) => {
      this.#unused.delete(incoming.socket);
      listener.take(incoming, outgoing);
    });
    server.on("upgrade", (incoming, _socket, head) => {
      this.#unused.delete(incoming.socket);
      upgrader.upgrade(incoming, head);
    });
    server.on("clientError", (error, socket) => {
      if (socket instanceof Socket) listener.takeGarbage(error, socket);
      else socket.destroy();
    });
    return server;
  }

  #bind(host: string, port: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const onError = (cause: Error): void => {
        const message = `cannot listen on ${host}:${port} (${cause.message}); choose another address or port`;
        reject(new TransportError("bind_failed", message, { cause }));
      };
      this.#server.once("error", onError);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", onError);
        resolve();
      });
    });
  }

  #report(error: unknown): void {
    const { logger } = this.#options;
    if (this.#options.onError) this.#options.onError(error);
    else if (logger) logger.error({ error }, "request failed inside");
    else console.error(error);
  }
}

/** A name under which this machine reaches itself. */
function nameOf(host: string): string {
  if (host === "0.0.0.0") return "127.0.0.1";
  if (host === "::") return "[::1]";
  return host.includes(":") ? `[${host}]` : host;
}
