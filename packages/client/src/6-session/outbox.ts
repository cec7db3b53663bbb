import type { SessionEvent, SessionState } from "@turnwire/protocol";
import type { ClientError } from "../5-connection/client-error.ts";
import type { OutgoingMessage } from "./session-view.ts";

/** Messages of this client by `client_message_id`, oldest first. */
export type Outbox = Readonly<Record<string, OutgoingMessage>>;

/** So many sent messages are remembered, so that a list can pass from one to the other without a flicker. */
const keptSent = 20;

/** A message that is sent again takes its old place. */
export function withPending(outbox: Outbox, message: Omit<OutgoingMessage, "status">): Outbox {
  return { ...outbox, [message.client_message_id]: { ...message, status: "pending" } };
}

/** The server has it; it counts as sent when the log has come that far. */
export function withAccepted(
  outbox: Outbox,
  id: string,
  { seq, reached }: { readonly seq: number; readonly reached: number },
): Outbox {
  const message = outbox[id];
  if (!message || message.status === "sent") return outbox;
  return { ...outbox, [id]: reached >= seq ? sent(message, seq) : { ...message, seq } };
}

export function withRefused(outbox: Outbox, id: string, error: ClientError): Outbox {
  const message = outbox[id];
  if (!message || message.status === "sent") return outbox;
  return { ...outbox, [id]: { ...message, status: "failed", error } };
}

/** Takes a message out, whatever became of it. */
export function without(outbox: Outbox, id: string): Outbox {
  if (!(id in outbox)) return outbox;
  const { [id]: _gone, ...rest } = outbox;
  return rest;
}

/** Marks what the events brought as sent. */
export function afterEvents(outbox: Outbox, events: readonly SessionEvent[]): Outbox {
  const seqs = new Map<string | undefined, number>();
  for (const event of events) {
    if (event.type === "user_message") seqs.set(event.data.client_message_id, event.seq);
  }
  if (seqs.size === 0) return outbox;
  return withSent(outbox, (message) => seqs.get(message.client_message_id));
}

/** Marks what a snapshot already has as sent; what it does not cover stays as it is. */
export function afterSnapshot(outbox: Outbox, state: SessionState): Outbox {
  const seqs = new Map<string | undefined, number>();
  for (const message of state.messages) {
    if (message.role === "user") seqs.set(message.client_message_id, message.seq);
  }
  return withSent(outbox, ({ client_message_id, seq = Infinity }) => {
    return seqs.get(client_message_id) ?? (seq <= state.seq ? seq : undefined);
  });
}

function withSent(outbox: Outbox, seqOf: (message: OutgoingMessage) => number | undefined): Outbox {
  const messages = Object.values(outbox);
  const next = messages.map((message) => {
    const seq = message.status === "sent" ? undefined : seqOf(message);
    return seq === undefined ? message : sent(message, seq);
  });
  return next.every((message, index) => message === messages[index]) ? outbox : pruned(next);
}

function sent({ error: _error, ...message }: OutgoingMessage, seq: number): OutgoingMessage {
  return { ...message, status: "sent", seq };
}

function pruned(messages: readonly OutgoingMessage[]): Outbox {
  const sentMessages = messages.filter(({ status }) => status === "sent");
  const dropped = new Set(sentMessages.slice(0, -keptSent));
  return Object.fromEntries(
    messages.flatMap((message) =>
      dropped.has(message) ? [] : [[message.client_message_id, message]],
    ),
  );
}
