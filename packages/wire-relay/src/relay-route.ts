import { RelayList } from "@turnwire/protocol";
import { json, type Route, type WireContext } from "@turnwire/wire";
import { hostIdOf } from "./relay-greeting.ts";
import { RelaySearch } from "./relay-search.ts";

/** The relays of this machine, for pages that are on it too. */
export function relayRoute(
  { host, clock, isFromHere }: WireContext,
  ports: () => readonly number[],
): Route {
  const search = new RelaySearch({ ports, hostId: hostIdOf(host), clock });
  return {
    method: "GET",
    path: "/relays",
    summary: "List the relays that answer on this machine; empty for those who are on another",
    access: "read",
    answers: { 200: { description: "The relays", schema: RelayList } },
    async handle({ incoming }) {
      if (!isFromHere(incoming)) return json(200, { ports: [], relays: [] });
      return json(200, await search.find());
    },
  };
}
