import { once } from "node:events";
import { createServer, type OutgoingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { WebSocketServer } from "ws";

interface ScriptedRelayOptions {
  /** 0, the default, takes a free one; a fixed one is for a relay that comes back. */
  readonly port?: number;
  /** What a plain GET is answered, as agents-ui's relay does by default. */
  readonly greeting?: {
    readonly status: number;
    readonly headers?: OutgoingHttpHeaders;
    readonly body: string;
  };
}

/** A relay in the hands of a test: every front end that connects hears what is said. */
export interface ScriptedRelay {
  readonly port: number;
  /** How many front ends are connected. */
  readonly frontEnds: () => number;
  readonly say: (...lines: readonly object[]) => void;
  readonly close: () => Promise<void>;
}

export async function startScriptedRelay(
  options: ScriptedRelayOptions = {},
): Promise<ScriptedRelay> {
  const { port = 0, greeting = { status: 426, body: "WebSocket upgrade required" } } = options;
  const server = createServer((_incoming, outgoing) => {
    outgoing.writeHead(greeting.status, greeting.headers).end(greeting.body);
  });
  const sockets = new WebSocketServer({ server, path: "/ws" });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const close = (): Promise<void> => closed(server, sockets);
  onTestFinished(close);
  return {
    // A TCP server that listens has an address with a port.
    port: (server.address() as AddressInfo).port,
    frontEnds: () => sockets.clients.size,
    say: (...lines) => {
      const frame = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
      for (const socket of sockets.clients) socket.send(frame);
    },
    close,
  };
}

async function closed(server: Server, sockets: WebSocketServer): Promise<void> {
  for (const socket of sockets.clients) socket.terminate();
  sockets.close();
  if (!server.listening) return;
  const hasClosed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await hasClosed;
}
