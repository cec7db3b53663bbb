import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import {
  accepted,
  closeCode,
  limits,
  rejected,
  SessionId,
  wireError,
  type WireError,
} from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { Authenticator } from "../auth/auth.ts";
import { bind, type Listening } from "../http/bind.ts";
import { Gate } from "../auth/gate.ts";
import { Guard } from "../http/guard.ts";
import { type HttpResponse, refused, unchanged, type SocketRoute } from "@turnwire/wire";
import { securityHeaders, sendResponse } from "../http/http-response.ts";
import { keepOpen } from "../stream/ping.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { GREETING_HEADER, greetingText, hostIdOf } from "./relay-greeting.ts";
import type { AdmittedPeer } from "../socket/admitted-peer.ts";
import { TransportError } from "../http/transport-error.ts";
import { Upgrader } from "../socket/upgrade.ts";
import { AutoApproval } from "./auto-approval.ts";
import { CliSocket } from "./cli-socket.ts";
import { DialledClis } from "./dialled-clis.ts";
import { FrontEndSocket } from "./front-end-socket.ts";
import { FIRST_PORT, LAST_PORT, MAX_FRAME_BYTES, MAX_LINE_BYTES } from "./limit.ts";

export interface RelayOptions {
  /** Without it the first free one of 8765 to 8864, where front ends look; 0: any free one. */
  readonly port?: number;
  /** Allows every use of a tool that a CLI asks for, before a person could. */
  readonly isAutoApproving?: boolean;
}

/** What a relay needs of the server that it belongs to. */
export interface RelayContext {
  readonly host: SessionHost;
  readonly hub: ReaderHub;
  readonly authenticator: Authenticator;
  /** Names beside loopback that the relay answers to, and pages of other sites that may use it. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  /** Where the web app with the same sessions is. */
  readonly webUrl: () => string | undefined;
  /** Why no one can connect now. */
  readonly refusal: () => WireError | undefined;
  readonly onError: (error: unknown) => void;
}

/**
 * A listener of its own, on this machine only: CLIs that dial in at `/` become agents of sessions,
 * front ends at `/ws` follow all sessions in lines of stream-json.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #context: RelayContext;
  readonly #guard: Guard;
  readonly #clis: DialledClis;
  readonly #upgrader: Upgrader;
  readonly #server: Server;

  constructor(options: RelayOptions, context: RelayContext) {
    this.#options = options;
    this.#context = context;
    this.#guard = new Guard({ ...context, allowsLoopbackPages: true });
    this.#clis = new DialledClis(context.onError);
    this.#upgrader = new Upgrader({
      ...context,
      guard: this.#guard,
      gate: new Gate(context.authenticator, this.#guard),
      routes: [this.#cliRoute(), this.#frontEndRoute()],
      maxFrameBytes: MAX_FRAME_BYTES,
      onRefused: () => undefined,
    });
    this.#server = createServer({
      requireHostHeader: false,
      headersTimeout: limits.headersTimeoutMs,
      requestTimeout: limits.headersTimeoutMs,
    });
    this.#server.on("request", (incoming, outgoing) => this.#answer(incoming, outgoing));
    this.#server.on("upgrade", (incoming, _socket, head) => this.#upgrader.upgrade(incoming, head));
  }

  async listen(): Promise<Listening> {
    const { port } = this.#options;
    const host = "127.0.0.1";
    if (port !== undefined) return bind(this.#server, { host, port });
    for (let candidate = FIRST_PORT; candidate <= LAST_PORT; candidate += 1) {
      try {
        return await bind(this.#server, { host, port: candidate });
      } catch (error) {
        const isTaken = error instanceof TransportError && error.code === "port_taken";
        if (!isTaken) throw error;
      }
    }
    throw new TransportError(
      "bind_failed",
      `cannot open the relay: all ports from ${FIRST_PORT} to ${LAST_PORT} are taken`,
    );
  }

  /** Undefined while it does not listen. */
  get port(): number | undefined {
    const address = this.#server.address();
    return typeof address === "object" && address ? address.port : undefined;
  }

  /** Refuses new connections; resolves when all have left. */
  async close(): Promise<void> {
    const hasClosed = new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
    });
    await this.#upgrader.emptied();
    this.#server.closeAllConnections();
    await hasClosed;
  }

  /** Cuts off whoever is left. */
  destroy(): void {
    this.#upgrader.destroy();
    this.#server.closeAllConnections();
  }

  #cliRoute(): SocketRoute<AdmittedPeer> {
    const { host, hub, onError } = this.#context;
    const approval = this.#options.isAutoApproving && new AutoApproval(host, onError);
    return {
      path: "/",
      summary: "A Claude CLI dials in",
      prepare: ({ incoming, principal }) => {
        if (incoming.headers.origin !== undefined) {
          return rejected("origin_not_allowed", "A page cannot be an agent; connect to /ws.");
        }
        return accepted(async (peer) => {
          const { websocket } = peer;
          const onDropped = (bytes: number): void => this.#clis.report(principal, dropped(bytes));
          const link = new CliSocket({ peer, onDropped, onError });
          peer.resume();
          keepOpen(websocket, hub);
          // The CLI dials in again where the server has been started again.
          const release = (): void => websocket.close(closeCode.released, "released");
          websocket.once("close", hub.onDrain(release));
          const end = (): void => websocket.close(closeCode.unauthorized, "unauthorized");
          const check = unchanged(principal);
          websocket.once("close", hub.rights.add({ incoming, check, end }));
          const cli = host.adoptCli(link, principal);
          if (approval) approval.watch(cli);
          this.#clis.add(cli, principal);
        });
      },
    };
  }

  #frontEndRoute(): SocketRoute<AdmittedPeer> {
    const clis = this.#clis;
    return {
      path: "/ws",
      summary: "A front end follows sessions",
      prepare: ({ principal, query }) => {
        const named = [...new Set(query.getAll("session"))];
        if (!named.every((id) => SessionId.safeParse(id).success)) {
          return rejected("invalid_request", "session must be the id of a session.");
        }
        return accepted((peer) =>
          new FrontEndSocket({ ...this.#context, clis, peer, principal, named }).start(),
        );
      },
    };
  }

  #answer(incoming: IncomingMessage, outgoing: ServerResponse): void {
    for (const [name, value] of Object.entries(securityHeaders)) outgoing.setHeader(name, value);
    sendResponse(outgoing, this.#answerTo(incoming));
  }

  get #greeting(): string {
    const { authenticator, host, webUrl } = this.#context;
    const needsToken = !authenticator.isOff;
    return greetingText({ needsToken, hostId: hostIdOf(host), webUrl: webUrl() });
  }

  #answerTo(incoming: IncomingMessage): HttpResponse {
    const source = this.#guard.checkSource(incoming);
    if (!source.ok) return refused(source.error);
    const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
    const body = helpText(incoming.socket.localPort ?? 0);
    const headers = {
      "content-type": "text/plain; charset=utf-8",
      [GREETING_HEADER]: this.#greeting,
    };
    if (pathname === "/") return { status: 200, headers, body };
    if (pathname !== "/ws") return refused(wireError("not_found", "See / of this relay."));
    return { status: 426, headers: { ...headers, upgrade: "websocket" }, body };
  }
}

/** Ports, together with those of relays that listen, in order. */
export function portsWith(ports: readonly number[], relays: Iterable<Relay>): readonly number[] {
  const own = Array.from(relays, ({ port }) => port ?? []).flat();
  return Array.from(new Set([...ports, ...own])).toSorted((left, right) => left - right);
}

function dropped(bytes: number) {
  const message = `A line of the CLI with ${bytes} bytes or more was dropped: a line has at most ${MAX_LINE_BYTES}.`;
  return wireError("payload_too_large", message);
}

/** What a person or a program reads that came by HTTP. */
function helpText(port: number): string {
  const address = `ws://127.0.0.1:${port}`;
  return [
    "This is a Turnwire relay. It speaks WebSocket:",
    "",
    `  ${address}/     for a Claude CLI (2.1.120 or older) that dials in:`,
    `      CLAUDE_CODE_SESSION_ACCESS_TOKEN=<token> claude --sdk-url ${address} -p "" \\`,
    "        --input-format stream-json --output-format stream-json --verbose",
    `  ${address}/ws   for front ends: lines of stream-json of every live session, both ways`,
    `  ${address}/ws?session=<id>   the same for one session`,
    "",
    "Both need the server's token: as Authorization: Bearer <token>, or as the WebSocket",
    "subprotocols turnwire and bearer.<token>, unless the relay runs with --no-auth.",
    "",
    "The wire is described in docs/protocol/relay.md.",
    "",
  ].join("\n");
}
