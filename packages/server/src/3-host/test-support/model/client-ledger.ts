/** How an attempt to hand in a message ended for the one who sent it. */
export type Answered =
  | { readonly type: "accepted"; readonly messageId: string; readonly isDuplicate: boolean }
  | { readonly type: "rejected"; readonly code: string }
  /** The server died before it answered. */
  | { readonly type: "unknown" };

/** One message that somebody wanted to send, with every attempt at it. */
export interface SentMessage {
  readonly sessionId: string;
  readonly text: string;
  readonly clientMessageId?: string;
  readonly delivery?: "turn" | "queue" | "steer";
  readonly isUnattended?: boolean;
  readonly answers: Answered[];
  /** Somebody wanted it back. */
  isCancelAsked: boolean;
}

/** What the clients of a history sent, and what they were answered. */
export class ClientLedger {
  readonly messages: SentMessage[] = [];
  /** How often an answer to a request was accepted, by the request's id. */
  readonly acceptedAnswers = new Map<string, number>();
  /** Deletions that were acknowledged, by session. */
  readonly deletions = new Map<string, number>();

  count(counts: Map<string, number>, id: string): void {
    counts.set(id, (counts.get(id) ?? 0) + 1);
  }
}

/** The id that the server gave an accepted message. */
export function acceptedId(message: SentMessage): string | undefined {
  return message.answers.find((answer) => answer.type === "accepted")?.messageId;
}
