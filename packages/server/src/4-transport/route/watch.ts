import { accepted, type Result, WatchFrame } from "@turnwire/protocol";
import type { SessionHost } from "../../3-host/session-host.ts";
import type { SessionQuery } from "../../3-host/session-list.ts";
import { sse } from "../stream/encoding/sse.ts";
import {
  type Call,
  empty,
  type Encoding,
  refused,
  type Route,
  type SocketRoute,
  unchanged,
  websocket,
  websocketKeepalive,
} from "@turnwire/wire";
import type { ReaderHub } from "../stream/reader-hub.ts";
import { sseHeaders, writeSse } from "../stream/sse-writer.ts";
import { WatchFrames } from "../stream/watch-frames.ts";
import { ListQuery, listQueryFrom } from "./list-query.ts";

/** A page is followed from its beginning only. */
const WatchQuery = ListQuery.omit({ after: true });

/** The sessions of whoever asks, and what becomes of them. */
export function watchRoute(host: SessionHost, hub: ReaderHub): Route {
  return {
    method: "GET",
    path: "/watch",
    summary: "Follow the list of sessions",
    access: "read",
    isNarrowed: true,
    query: WatchQuery,
    answers: {
      200: {
        description: "The newest page, then what changes",
        schema: WatchFrame,
        contentType: "text/event-stream",
      },
    },
    async handle(call) {
      const query = watchQueryFrom(call);
      if (!query.ok) return refused(query.error);
      const { incoming, outgoing, principal } = call;
      if (incoming.method === "HEAD") return empty(200, sseHeaders);
      const frames = await openFrames(host, query.value, sse);
      const check = unchanged(principal);
      return writeSse({ incoming, outgoing, hub, check, headers: {} }, (reader) =>
        hub.serve({ ...reader, ...servingOf(frames), transport: sse.name }),
      );
    },
  };
}

/** The same over WebSocket, where browsers do not count connections. */
export function watchSocketRoute(host: SessionHost): SocketRoute {
  return {
    path: "/watch/ws",
    summary: "Follow the list of sessions over WebSocket",
    access: "read",
    isNarrowed: true,
    prepare(call) {
      const query = watchQueryFrom(call);
      if (!query.ok) return query;
      return accepted(async (peer) => {
        const frames = await openFrames(host, query.value, websocket);
        const connection = peer.connect({ check: unchanged(call.principal) });
        connection.send(JSON.stringify({ type: "ready" }));
        connection.serve({
          ...servingOf(frames),
          transport: websocket.name,
          keepalive: websocketKeepalive,
          onEnd: () => connection.close("released"),
        });
      });
    },
  };
}

function watchQueryFrom(call: Pick<Call, "query" | "principal">): Result<SessionQuery> {
  const query = listQueryFrom(call);
  if (!query.ok) return query;
  const { after: _after, ...first } = query.value;
  return accepted(first);
}

async function openFrames(
  host: SessionHost,
  query: SessionQuery,
  encoding: Encoding,
): Promise<WatchFrames> {
  const frames = new WatchFrames({ changes: host.changes, query, encoding });
  try {
    frames.begin(await host.list(query));
    return frames;
  } catch (error) {
    frames.release();
    throw error;
  }
}

function servingOf(frames: WatchFrames) {
  return { frames, after: 0, release: () => frames.release() };
}
