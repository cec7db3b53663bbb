import { accepted } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import {
  streamJson,
  catchUpWith,
  cursorFrom,
  openSession,
  type SocketCall,
  type SocketRoute,
} from "@turnwire/wire";
import { LineSocket } from "../socket/line-socket.ts";
import { dialectFrom } from "./dialect-query.ts";
import { SessionSocket } from "../socket/websocket.ts";

/** A session over WebSocket. */
export function sessionSocketRoute(host: SessionHost): SocketRoute {
  return {
    path: "/sessions/{session_id}/ws",
    summary: "Follow and command a session over WebSocket",
    access: "read",
    prepare(call) {
      const cursor = cursorFrom(call.incoming, call.query);
      if (!cursor.ok) return cursor;
      const dialect = dialectFrom(call.query);
      if (!dialect.ok) return dialect;
      return accepted(async (peer) => {
        const session = await openSession(host, call);
        if (!session.ok) {
          const isUnknown = session.error.code === "session_not_found";
          return peer.close(isUnknown ? "unknownSession" : "released", session.error.code);
        }
        await catchUpWith(session.value.log, cursor.value.after);
        if (dialect.value === streamJson) {
          const after = hasPosition(call) ? cursor.value.after : undefined;
          return new LineSocket({ session: session.value, after, peer }).start();
        }
        new SessionSocket({ session: session.value, cursor: cursor.value, peer }).start();
      });
    },
  };
}

/** Lines of stream-json have no positions of their own: a reader without one gets the conversation so far. */
function hasPosition({ incoming, query }: SocketCall): boolean {
  return incoming.headers["last-event-id"] !== undefined || query.has("after");
}
