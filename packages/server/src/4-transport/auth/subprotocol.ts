import type { IncomingMessage } from "node:http";

/** Browsers cannot set headers on an upgrade: credentials come as the rest of a subprotocol's name. */
export function subprotocolAfter(incoming: IncomingMessage, start: string): string | undefined {
  const offered = incoming.headers["sec-websocket-protocol"]?.split(",") ?? [];
  const names = offered.map((name) => name.trim());
  return names.find((name) => name.startsWith(start))?.slice(start.length);
}
