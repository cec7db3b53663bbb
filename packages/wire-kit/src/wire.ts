import { accepted } from "@turnwire/protocol";
import type { Wire } from "@turnwire/wire";
import { KitSocket } from "./connection.ts";

/** The wire of Claude Agent Kit: a WebSocket at `/ws` that talks to one session at a time. */
export function kit(): Wire {
  return {
    name: "kit",
    sockets: ({ host }) => [
      {
        path: "/ws",
        summary: "Talk to sessions over WebSocket as clients of Claude Agent Kit do",
        access: "operate",
        prepare: ({ query }) =>
          accepted((peer) =>
            new KitSocket({
              host,
              peer,
              runtime: query.get("runtime") ?? undefined,
              isUnattended: query.get("unattended") === "true",
            }).start(),
          ),
      },
    ],
  };
}
