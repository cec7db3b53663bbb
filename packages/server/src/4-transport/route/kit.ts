import { accepted } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import { KitSocket } from "../socket/kit-socket.ts";
import type { ReaderHub } from "../stream/reader-hub.ts";
import type { SocketRoute } from "../http/socket-route.ts";

/** For clients of Claude Agent Kit. */
export function kitSocketRoute(
  host: SessionHost,
  hub: ReaderHub,
  onError: (error: unknown) => void,
): SocketRoute {
  return {
    path: "/ws",
    summary: "Talk to sessions over WebSocket as clients of Claude Agent Kit do",
    prepare(call) {
      const runtime = call.query.get("runtime") ?? undefined;
      return accepted(async (peer) => {
        new KitSocket({ host, hub, peer, runtime, onError }).start();
      });
    },
  };
}
