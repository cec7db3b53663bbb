import type { IncomingMessage } from "node:http";
import { RelayList } from "@turnwire/protocol";
import { isLoopback, isLoopbackHost } from "../http/host-list.ts";
import { json, type Route } from "@turnwire/wire";
import type { RelaySearch } from "../relay/relay-search.ts";

/** The relays of this machine, for pages that are on it too. */
export function relayRoute(search: RelaySearch): Route {
  return {
    method: "GET",
    path: "/relays",
    summary: "List the relays that answer on this machine; empty for those who are on another",
    access: "principal",
    answers: { 200: { description: "The relays", schema: RelayList } },
    async handle({ incoming }) {
      if (!isFromHere(incoming)) return json(200, { ports: [], relays: [] });
      return json(200, await search.find());
    },
  };
}

/** A proxy on this machine keeps the name that its visitors use. */
function isFromHere({ socket, headers }: IncomingMessage): boolean {
  const address = socket.remoteAddress?.replace(/^::ffff:/, "") ?? "";
  return isLoopback(address) && isLoopbackHost(headers.host ?? "");
}
