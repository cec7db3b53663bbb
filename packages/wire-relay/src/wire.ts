import type { IncomingMessage } from "node:http";
import { accepted, rejected, SessionId, wireError } from "@turnwire/protocol";
import {
  type HttpResponse,
  refused,
  type SocketRoute,
  type Wire,
  type WireContext,
} from "@turnwire/wire";
import { AutoApproval } from "./auto-approval.ts";
import { DialledClis } from "./dialled-clis.ts";
import { FrontEndSocket } from "./front-end-socket.ts";
import { FIRST_PORT, LAST_PORT, MAX_FRAME_BYTES } from "./limit.ts";
import { GREETING_HEADER, greetingText, hostIdOf } from "./relay-greeting.ts";
import { relayRoute } from "./relay-route.ts";

export interface RelayOptions {
  /** Without it the first free one of 8765 to 8864, where front ends look; 0: any free one. */
  readonly port?: number;
  /** Allows every use of a tool that a CLI asks for, before a person could. */
  readonly isAutoApproving?: boolean;
  /** Ports of this machine on which the web app, opened on this machine, finds other relays; none by default. */
  readonly searchedPorts?: readonly number[];
}

/** The wire of relays; one for each server. */
export interface RelayWire extends Wire {
  /** Where CLIs dial in; undefined while the server does not listen. */
  readonly url: string | undefined;
}

/**
 * A relay on a port of its own: CLIs that dial in at `/` become agents of sessions, front ends at
 * `/ws` follow all sessions in lines of stream-json.
 */
export function relay(options: RelayOptions = {}): RelayWire {
  const { port, searchedPorts = [] } = options;
  let ownPort: number | undefined;
  const ports = (): readonly number[] => [
    ...new Set([...searchedPorts, ...(ownPort === undefined ? [] : [ownPort])]),
  ];
  return {
    name: "relay",
    get url() {
      return ownPort === undefined ? undefined : `ws://127.0.0.1:${ownPort}`;
    },
    pagePorts: searchedPorts,
    routes: (context) => [relayRoute(context, ports)],
    listener: (context) => {
      const clis = new DialledClis(context);
      return {
        ports: port === undefined ? usualPorts : [port],
        sockets: [cliRoute(context, clis, options), frontEndRoute(context, clis)],
        maxFrameBytes: MAX_FRAME_BYTES,
        answer: (incoming) => answerTo(incoming, context),
        onListening: (opened) => (ownPort = opened),
      };
    },
  };
}

/** The relays that other programs have open on this machine, for the web app of a server without one. */
export function relaySearch(ports: readonly number[]): Wire {
  return {
    name: "relay-search",
    pagePorts: ports,
    routes: (context) => [relayRoute(context, () => ports)],
  };
}

const usualPorts = Array.from(
  { length: LAST_PORT - FIRST_PORT + 1 },
  (_, index) => FIRST_PORT + index,
);

function cliRoute(
  { host, report }: WireContext,
  clis: DialledClis,
  { isAutoApproving = false }: RelayOptions,
): SocketRoute {
  const approval = isAutoApproving && new AutoApproval(host, report);
  return {
    path: "/",
    summary: "A Claude CLI dials in",
    access: "operate",
    prepare: ({ incoming, principal }) => {
      if (incoming.headers.origin !== undefined) {
        return rejected("origin_not_allowed", "A page cannot be an agent; connect to /ws.");
      }
      const { remoteAddress = "unknown", remotePort = 0 } = incoming.socket;
      const description = `${remoteAddress}:${remotePort}`;
      return accepted((peer) => {
        const { adopted } = clis.add({ peer, principal, description, isAutoApproving });
        if (approval) approval.watch(adopted);
      });
    },
  };
}

function frontEndRoute(context: WireContext, clis: DialledClis): SocketRoute {
  return {
    path: "/ws",
    summary: "A front end follows sessions",
    access: "read",
    prepare: ({ principal, query }) => {
      const named = [...new Set(query.getAll("session"))];
      if (!named.every((id) => SessionId.safeParse(id).success)) {
        return rejected("invalid_request", "session must be the id of a session.");
      }
      return accepted((peer) =>
        new FrontEndSocket({ context, clis, peer, principal, named }).start(),
      );
    },
  };
}

function answerTo(incoming: IncomingMessage, context: WireContext): HttpResponse {
  const { pathname } = new URL(incoming.url ?? "/", "http://localhost");
  const body = helpText(incoming.socket.localPort ?? 0);
  const greeting = greetingText({
    needsToken: context.needsCredential,
    hostId: hostIdOf(context.host),
    webUrl: context.url(),
  });
  const headers = {
    "content-type": "text/plain; charset=utf-8",
    [GREETING_HEADER]: greeting,
  };
  if (pathname === "/") return { status: 200, headers, body };
  if (pathname !== "/ws") return refused(wireError("not_found", "See / of this relay."));
  return { status: 426, headers: { ...headers, upgrade: "websocket" }, body };
}

/** The answer to a person or a program that came by HTTP. */
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
