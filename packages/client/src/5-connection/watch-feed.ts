import type { WatchFrame } from "@turnwire/protocol";
import { ClientError } from "./client-error.ts";
import type { Sequenced } from "./connection-state.ts";
import type { EventFeed } from "./event-feed.ts";
import type { Call } from "./http.ts";

/** A frame of `GET /watch`, numbered here: it is not a log, so its places mean nothing to the server. */
export type WatchEvent = WatchFrame & Sequenced;

/** The principal's sessions; `query` is asked before each stream. */
export function watchFeed(query: () => NonNullable<Call["query"]>): EventFeed<WatchEvent> {
  return {
    path: ["watch"],
    socketPath: ["watch", "ws"],
    probe: { path: ["sessions"], query: { limit: 1 } },
    query,
    reader: ({ after }) => {
      let seq = after;
      return (frame) => ({ ...watchFrameFrom(frame), seq: ++seq });
    },
  };
}

/** Types that are not known here pass: the fields are the server's promise. */
function watchFrameFrom(frame: unknown): WatchFrame {
  if (typeof frame === "object" && frame !== null && "type" in frame) return frame as WatchFrame;
  throw new ClientError("protocol", `Not news of sessions: ${JSON.stringify(frame).slice(0, 200)}`);
}
