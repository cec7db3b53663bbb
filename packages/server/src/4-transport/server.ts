import { limits, wireError, type WireError } from "@turnwire/protocol";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { type Clock, systemClock } from "@turnwire/base";
import { createSessionHost } from "../3-host/create-session-host.ts";
import type { DrainOptions } from "../3-host/membership/drain.ts";
import { CutOffError } from "../3-host/membership/store-gate.ts";
import type { SessionHost } from "../3-host/session-host.ts";
import { readServerVersion } from "@turnwire/runtime";
import { FrameLogs } from "./stream/frame-log/frame-logs.ts";
import { Authenticator, type AuthOptions, type StoredCredentials } from "./auth/auth.ts";
import { bind, type ListenOptions, type Listening } from "./http/bind.ts";
import { Gate } from "./auth/gate.ts";
import { Guard } from "./http/guard.ts";
import { Heartbeat } from "./stream/heartbeat.ts";
import { isLoopback } from "./http/host-list.ts";
import {
  type DescribedPaths,
  empty,
  type HttpResponse,
  refused,
  type WireListener,
} from "@turnwire/wire";
import { sendOnSocket, sendResponse } from "./http/http-response.ts";
import { HttpServer } from "./http/http-server.ts";
import { randomToken } from "./auth/token.ts";
import { Metrics } from "./http/metrics.ts";
import { lacksSlash, mountPathFrom, urlUnder } from "./http/mount.ts";
import { ReaderHub } from "./stream/reader-hub.ts";
import { RequestListener } from "./http/request-listener.ts";
import { logRequest } from "./http/request-log.ts";
import { RightsWatch } from "./stream/rights-watch.ts";
import { createRouter } from "./router.ts";
import { createRouteTable, type RouteTable } from "./route/route-table.ts";
import type { ServingOptions, TurnwireServerOptions } from "./server-options.ts";
import { TransportError } from "./http/transport-error.ts";
import { Upgrader } from "./socket/upgrade.ts";
import { WirePort } from "./socket/wire-port.ts";

/** The options with their defaults, and what is read before the server is made. */
interface ServerParts extends ServingOptions {
  readonly host: SessionHost;
  readonly auth: AuthOptions;
  readonly version: string;
  readonly stored: StoredCredentials;
}

/** Makes a server, with a session host unless it is given one; nothing is open before `listen`. */
export async function createTurnwireServer(
  options: TurnwireServerOptions,
): Promise<TurnwireServer> {
  const { auth = { type: "token", token: randomToken() } } = options;
  const { logins, tokens } = auth.type === "token" ? auth : {};
  const stored = {
    logins: (await logins?.load()) ?? [],
    tokens: (await tokens?.load()) ?? [],
  };
  const version = await readServerVersion();
  const host = options.host ?? createSessionHost(options);
  try {
    return new TurnwireServer({ ...options, host, auth, version, stored });
  } catch (error) {
    if (!options.host) await host.close();
    throw error;
  }
}

/** Serves the sessions of a host over HTTP, SSE and WebSocket. Made by `createTurnwireServer`. */
export class TurnwireServer {
  readonly #options: ServerParts;
  readonly #clock: Clock;
  readonly #metrics: Metrics;
  readonly #frameLogs: FrameLogs;
  readonly #hub: ReaderHub;
  readonly #authenticator: Authenticator;
  readonly #table: RouteTable;
  readonly #server: HttpServer;
  readonly #mountPath: string;
  readonly #listener: RequestListener;
  readonly #upgrader: Upgrader;
  readonly #wirePorts: readonly WirePort[];
  #listening: Listening | undefined;
  #draining: Promise<void> | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: ServerParts) {
    const { host, auth, clock = systemClock, clientAddress } = options;
    this.#options = options;
    this.#clock = clock;
    this.#frameLogs = new FrameLogs({
      clock,
      ...(options.frameRing && { ring: options.frameRing }),
    });
    this.#metrics = new Metrics({
      observe: () => ({ ...host.metrics, framedLogs: this.#frameLogs.size }),
      storeHealth: () => host.storeHealth(),
      storeMeter: host.storeMeter,
    });
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
      sharing: host.sharing,
      clock,
      failuresPerMinute: options.authFailuresPerMinute ?? limits.authFailuresPerMinute,
      ...(clientAddress && { clientAddress }),
      stored: options.stored,
      onFailure: () => this.#metrics.authFailures.inc(),
      onRevoked: () => rights.checkAll(),
      onError,
    });
    this.#table = createRouteTable({
      host,
      hub: this.#hub,
      metrics: this.#metrics,
      clock,
      url: () => this.#listening && `${this.#listening.url}${this.#mountPath}`,
      authenticator: this.#authenticator,
      version: options.version,
      hasWebRoot: options.webRoot !== undefined,
      ...(options.cliOptions !== undefined && { cliOptions: options.cliOptions }),
      wires: options.wires ?? [],
      isDraining: () => this.isDraining,
      onError,
    });
    this.#mountPath = mountPathFrom(options.mountPath);
    const guard = new Guard({
      allowedHosts: options.allowedHosts ?? [],
      allowedOrigins: options.allowedOrigins ?? [],
    });
    this.#listener = this.#createListener(guard);
    this.#upgrader = this.#createUpgrader(guard);
    this.#server = this.#createServer();
    this.#wirePorts = this.#table.listeners.map((listener) => this.#createWirePort(listener));
  }

  /** The one token of all clients; undefined where `authorize` decides, or auth is off. */
  get token(): string | undefined {
    const { auth } = this.#options;
    return auth.type === "token" ? auth.token : undefined;
  }

  /** Every path the server answers on, for tests and documentation. */
  get table(): DescribedPaths {
    return this.#table;
  }

  /** About to stop: what is under way continues, load balancers should choose another server. */
  get isDraining(): boolean {
    return this.#draining !== undefined || this.#closing !== undefined;
  }

  async listen(options: ListenOptions = {}): Promise<Listening> {
    const { host = "127.0.0.1", port = 0 } = options;
    if (this.#authenticator.isOff && !isLoopback(host)) {
      throw new TransportError(
        "bind_insecure",
        `without auth the server only listens on loopback, not on ${host}: give it a token, or listen on 127.0.0.1`,
      );
    }
    if (!isLoopback(host) && !this.#options.clientAddress) {
      this.#options.logger?.warn(
        { host },
        "listening beyond this machine in plain HTTP: tokens and conversations can be read on the way; put a proxy with TLS in front, and name it (--trusted-proxy)",
      );
    }
    this.#listening = await bind(this.#server.node, { host, port });
    for (const wirePort of this.#wirePorts) await wirePort.listen();
    return this.#listening;
  }

  /**
   * Answers a request that another HTTP server received, if it is below the mount path; false when
   * it is not, and then nothing was done with it.
   */
  handle(incoming: IncomingMessage, outgoing: ServerResponse): boolean {
    const url = urlUnder(this.#mountPath, incoming);
    if (url === undefined) return false;
    const refusal = this.#refusalOf(incoming);
    if (refusal) sendResponse(outgoing, refusal);
    else if (lacksSlash(this.#mountPath, incoming)) {
      // Pages find their parts relative to the mount.
      const location = `${this.#mountPath}${url}`;
      sendResponse(outgoing, empty(308, { location }));
    } else {
      incoming.url = url;
      this.#listener.take(incoming, outgoing);
    }
    return true;
  }

  /** The same for an upgrade to WebSocket: the socket of one that is not ours is left as it is. */
  upgrade(incoming: IncomingMessage, _socket: Duplex, head: Buffer): boolean {
    const url = urlUnder(this.#mountPath, incoming);
    if (url === undefined) return false;
    const refusal = this.#refusalOf(incoming);
    if (refusal) sendOnSocket(incoming.socket, refusal);
    else {
      incoming.url = url;
      this.#upgrader.upgrade(incoming, head);
    }
    return true;
  }

  /** Without auth only this machine may come, whoever listens. */
  #refusalOf({ socket }: IncomingMessage): HttpResponse | undefined {
    const { localAddress } = socket;
    if (!this.#authenticator.isOff || localAddress === undefined) return undefined;
    if (isLoopback(localAddress.replace(/^::ffff:/, ""))) return undefined;
    const message = "Without auth this server answers on loopback only.";
    return refused(wireError("forbidden", message));
  }

  /** A link that logs one browser in, once, within ten minutes; `baseUrl` where another server is mounted round this one. */
  async loginUrl(
    baseUrl = this.#listening && `${this.#listening.url}${this.#mountPath}`,
  ): Promise<string> {
    if (baseUrl === undefined) throw new TransportError("not_listening", "listen first");
    const code = await this.#authenticator.browsers?.issueCode();
    if (code === undefined) {
      throw new TransportError("login_unavailable", "login links need auth by token");
    }
    return `${baseUrl}/login/${code}`;
  }

  /** Begins nothing new, lets running turns end within the limit and be answered meanwhile, then closes. */
  drain(options: DrainOptions): Promise<void> {
    const drained = async (): Promise<void> => {
      await this.#options.host.drain(options).catch((error: unknown) => this.#report(error));
      await this.close();
    };
    this.#draining ??= drained();
    return this.#draining;
  }

  /** Stops accepting, puts every session to sleep, lets readers go; cuts off what is left after a while. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    const hasClosed = this.#server.close();
    this.#hub.drain();
    const abort = new AbortController();
    const isLate = this.#clock.wait(this.#options.drainMs ?? limits.drainMs, abort.signal);
    try {
      const isDone = Promise.all([
        this.#options.host.close(),
        this.#upgrader.emptied(),
        ...this.#wirePorts.map((wirePort) => wirePort.close()),
      ]);
      await Promise.race([isDone.then(() => hasClosed), isLate]);
    } finally {
      abort.abort();
      this.#hub.destroy();
      this.#upgrader.destroy();
      for (const wirePort of this.#wirePorts) wirePort.destroy();
      this.#server.node.closeAllConnections();
      this.#frameLogs.close();
      this.#metrics.close();
      this.#authenticator.close();
    }
  }

  get #bodyLimits() {
    return {
      maxBytes: this.#options.maxBodyBytes ?? limits.bodyBytes,
      timeoutMs: this.#options.bodyTimeoutMs ?? limits.bodyTimeoutMs,
      clock: this.#clock,
    };
  }

  #createListener(guard: Guard): RequestListener {
    const { webRoot, cliOptions, wires = [], logger } = this.#options;
    const onError = (error: unknown): void => this.#report(error);
    const gate = new Gate(this.#authenticator, guard);
    const paths = new WeakMap<object, string>();
    const router = createRouter({
      routes: this.#table.routes,
      gate,
      body: this.#bodyLimits,
      pagePorts: wires.flatMap((wire) => wire.pagePorts ?? []),
      ...(webRoot !== undefined && { webRoot }),
      ...(cliOptions !== undefined && { cliOptions }),
      onRoute: (outgoing, path) => paths.set(outgoing, path),
      onAct: (act) => this.#options.host.audit(act),
      onError,
    });
    return new RequestListener({
      guard,
      router,
      isDraining: () => this.isDraining,
      isClosing: () => this.#closing !== undefined,
      onAnswered: (incoming, outgoing) => {
        const route = paths.get(outgoing) ?? "none";
        const status = outgoing.statusCode;
        this.#metrics.countRequest(incoming, status, route);
        if (logger)
          logRequest(logger, { incoming, status, route, address: this.#addressOf(incoming) });
        if (this.isDraining) this.#server.node.closeIdleConnections();
      },
      onError,
    });
  }

  #createUpgrader(guard: Guard): Upgrader {
    const { logger } = this.#options;
    return new Upgrader({
      guard,
      gate: new Gate(this.#authenticator, guard),
      hub: this.#hub,
      routes: this.#table.sockets,
      maxFrameBytes: this.#bodyLimits.maxBytes,
      maxSockets: this.#options.maxSocketsPerPrincipal ?? limits.socketsPerPrincipal,
      refusal: () => this.#socketRefusal(),
      onRefused: (incoming, status) => {
        if (!logger) return;
        const address = this.#addressOf(incoming);
        logRequest(logger, { incoming, status, route: "websocket", address });
      },
      onError: (error) => this.#report(error),
    });
  }

  #createWirePort(listener: WireListener): WirePort {
    const { allowedHosts = [], allowedOrigins = [] } = this.#options;
    return new WirePort(listener, {
      hub: this.#hub,
      authenticator: this.#authenticator,
      allowedHosts,
      allowedOrigins,
      refusal: () => this.#socketRefusal(),
      onError: (error) => this.#report(error),
    });
  }

  #socketRefusal(): WireError | undefined {
    if (this.#closing) return wireError("shutting_down", "The server is stopping.");
    if (!this.#options.host.isCutOff) return undefined;
    return wireError("store_unavailable", "The store cannot be reached now; try again.");
  }

  #createServer(): HttpServer {
    return new HttpServer({
      requestTimeoutMs: this.#bodyLimits.timeoutMs + limits.headersTimeoutMs,
      handle: (incoming, outgoing) => this.handle(incoming, outgoing),
      upgrade: (incoming, socket, head) => this.upgrade(incoming, socket, head),
      elsewhere: () => wireError("not_found", `This server is at ${this.#mountPath}/.`),
      onGarbage: (error, socket) => this.#listener.takeGarbage(error, socket),
    });
  }

  #addressOf(incoming: IncomingMessage): string | undefined {
    return this.#options.clientAddress?.(incoming) ?? incoming.socket.remoteAddress;
  }

  #report(error: unknown): void {
    const { logger } = this.#options;
    if (error instanceof CutOffError) return;
    if (this.#options.onError) this.#options.onError(error);
    else if (logger) logger.error({ error }, "request failed inside");
    else console.error(error);
  }
}
