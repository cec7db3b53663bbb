import { closeCode, accepted } from "@turnwire/protocol";
import type { SessionHost } from "../../2-session/session-host.ts";
import { cursorFrom } from "../cursor.ts";
import type { ReaderHub } from "../reader-hub.ts";
import { openSession } from "../route.ts";
import type { SocketRoute } from "../socket-route.ts";
import { SessionSocket } from "../websocket.ts";

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
      return accepted(async (peer) => {
        const session = await openSession(host, call);
        if (!session.ok) {
          const isUnknown = session.error.code === "session_not_found";
          const code = isUnknown ? closeCode.unknownSession : closeCode.released;
          peer.websocket.close(code, session.error.code);
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
