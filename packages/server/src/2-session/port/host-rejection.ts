import { rejected } from "@turnwire/protocol";

/** The answer to everything once the host closes. */
export function shuttingDown(): ReturnType<typeof rejected> {
  return rejected("shutting_down", "The server is shutting down: try again.");
}

/** Also the answer for a session of somebody else. */
export function unknownSession(sessionId: string): ReturnType<typeof rejected> {
  return rejected("session_not_found", `There is no session ${sessionId}.`);
}
