import type { SessionView, Snapshot } from "@turnwire/client";
import { initialState } from "@turnwire/protocol";

/** What is shown before a session is followed: on a server, and in a browser until it has taken over. */
export function emptyView(snapshot?: Snapshot): SessionView {
  const session = snapshot?.state ?? initialState();
  return {
    session,
    connection: { status: "idle", attempt: 0 },
    sending: {},
    requests: Object.fromEntries(
      Object.keys(session.requests).map((id) => [id, { status: "requested" }]),
    ),
    isCancelling: false,
  };
}
