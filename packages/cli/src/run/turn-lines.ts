import type { AcceptedMessage, Session, TurnwireClient } from "@turnwire/client";
import type { Connection } from "../connection/server-address.ts";
import { presentEvents } from "../session/session-events.ts";
import { streamLines } from "./stream-lines.ts";
import { messageFate } from "./turn-answer.ts";

export interface LinePrinter {
  readonly client: TurnwireClient;
  readonly connection: Connection;
  readonly print: (line: string) => Promise<void>;
}

/** Prints the turn that answers a message in lines of stream-json, from when it begins. */
export async function printTurn(
  session: Session,
  accepted: AcceptedMessage,
  { client, connection, print, signal }: LinePrinter & { readonly signal: AbortSignal },
): Promise<void> {
  const { session: state } = await session.waitFor(
    (view) => {
      const fate = messageFate(view.session, accepted);
      return fate.type !== "pending" || !fate.isQueued;
    },
    { signal },
  );
  if (messageFate(state, accepted).type === "withdrawn") return;
  const after = (await startOf(client, session.id, accepted)) - 1;
  for await (const line of streamLines(connection, { sessionId: session.id, after, signal })) {
    await print(line);
  }
}

/** The seq at which the turn began: other turns may have come between the message and its own. */
async function startOf(
  client: TurnwireClient,
  sessionId: string,
  { seq, message_id }: AcceptedMessage,
): Promise<number> {
  for await (const event of presentEvents(client, sessionId, seq)) {
    if (event.type === "turn_started" && event.data.message_id === message_id) return event.seq;
  }
  return seq;
}
