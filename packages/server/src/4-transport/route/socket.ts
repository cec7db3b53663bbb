import { closeCode, accepted } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { streamJson } from "../../3-dialect/stream-json/stream-json.ts";
import { catchUpWith, cursorFrom } from "../stream/cursor.ts";
import { LineSocket } from "../socket/line-socket.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { openSession } from "../http/route.ts";
import { dialectFrom } from "./dialect-query.ts";
import type { SocketCall, SocketRoute } from "../http/socket-route.ts";
import { SessionSocket } from "../socket/websocket.ts";

/** A session over WebSocket. */
export function sessionSocketRoute(
  host: SessionHost,
  hub: ReaderHub,
  onError: (error: unknown) => void,
): SocketRoute {
  return {
    path: "/sessions/{session_id}/ws",
    summary: "Follow and command a session over WebSocket",
    prepare(call) {
      const cursor = cursorFrom(call.incoming, call.query);
      if (!cursor.ok) return cursor;
      const dialect = dialectFrom(call.query);
      if (!dialect.ok) return dialect;
      return accepted(async (peer) => {
        // What a client sends before its session is open waits in the socket.
        peer.websocket.pause();
        const session = await openSession(host, call).finally(() => {
          setImmediate(() => peer.websocket.resume());
        });
        if (!session.ok) {
          const isUnknown = session.error.code === "session_not_found";
          const code = isUnknown ? closeCode.unknownSession : closeCode.released;
          peer.websocket.close(code, session.error.code);
          return;
        }
        await catchUpWith(session.value.log, cursor.value.after);
        if (dialect.value === streamJson) {
          const after = hasPosition(call) ? cursor.value.after : undefined;
          const line = { session: session.value, after, peer, hub, onError };
          await new LineSocket(line).start();
          return;
        }
        new SessionSocket({
          session: session.value,
          cursor: cursor.value,
          peer,
          hub,
          onError,
        }).start();
      });
    },
  };
}

/** Lines of stream-json have no positions of their own: a reader without one gets the conversation so far. */
function hasPosition({ incoming, query }: SocketCall): boolean {
  return incoming.headers["last-event-id"] !== undefined || query.has("after");
}
