import type { TurnwireClient } from "@turnwire/client";
import type { SessionEvent } from "@turnwire/protocol";

const PAGE = 1000;

/** The events of a session that are there now, without waiting for more. */
export async function* presentEvents(
  client: TurnwireClient,
  sessionId: string,
  after = 0,
): AsyncGenerator<SessionEvent> {
  let position: number | undefined = after;
  while (position !== undefined) {
    const page = await client.sessions.eventPage(sessionId, { after: position, limit: PAGE });
    yield* page.events;
    position = page.next;
  }
}
