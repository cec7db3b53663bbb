import { initialState } from "@turnwire/protocol";
import type { Snapshot } from "../5-connection/connection-state.ts";
import { requestsFrom } from "../6-session/request-progress.ts";
import type { SessionView } from "../6-session/session-view.ts";

/** The view before a session is followed: on a server, and in a browser until it has taken over. */
export function emptyView(snapshot?: Snapshot): SessionView {
  const session = snapshot?.state ?? initialState();
  return {
    session,
    connection: { status: "idle", attempt: 0 },
    sending: {},
    requests: requestsFrom(session, {}, {}),
    isCancelling: false,
  };
}
