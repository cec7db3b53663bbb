import type { SessionView, Snapshot } from "@turnwire/client";
import { initialState } from "@turnwire/protocol";

/** What a page shows before anything is followed: on the server, and in a browser until it has taken over. */
export function serverView(snapshot?: Snapshot): SessionView {
  const session = snapshot?.state ?? initialState();
  const requests = Object.keys(session.requests).map(
    (id) => [id, { status: "requested" as const }] as const,
  );
  return {
    session,
    connection: { status: "idle", attempt: 0 },
    sending: {},
    requests: Object.fromEntries(requests),
    isCancelling: false,
  };
}
