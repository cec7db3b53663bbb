import type { SessionEvent } from "@turnwire/protocol";
import type { EventFeed } from "./event-feed.ts";
import { sessionEventFrom } from "./session-event.ts";

/** A session's log. The position goes twice: the header wins, the query survives proxies that drop the header. */
export function sessionFeed(sessionId: string): EventFeed<SessionEvent> {
  return {
    path: ["sessions", sessionId, "events"],
    socketPath: ["sessions", sessionId, "ws"],
    probe: { path: ["sessions", sessionId] },
    query: ({ after, epoch }) => ({ after, epoch }),
    headers: ({ after }) => ({ "last-event-id": String(after) }),
    reader: () => sessionEventFrom,
  };
}
