/** A command for a session that another host holds, until it is answered. */
export interface InboxEntry {
  readonly entryId: string;
  readonly sessionId: string;
  /** JSON text; the store does not look into it. */
  readonly body: string;
  /** When it was stored, by the store's clock. */
  readonly at: string;
  /** The generation in which work on it began, for what cannot be done and answered in one transaction. */
  readonly begunIn?: number;
}

export interface InboxAnswer {
  readonly entryId: string;
  /** JSON text. */
  readonly result: string;
}

/** Commands that wait for whoever holds a session, in order, each answered once. */
export interface Inbox {
  /** Stores a command; it survives whichever host dies. Answers with its id, rejects with `session_unknown`. */
  putInboxEntry(sessionId: string, body: string): Promise<string>;
  /** Entries without an answer, in the order in which they were stored. */
  readInbox(sessionId: string, limit: number): Promise<InboxEntry[]>;
  /** The sessions leased by the holder in whose inboxes something waits; a store of one process may name others too. */
  listWaitingInboxes(holder: string): Promise<string[]>;
  /** Notes that work on an entry begins. Rejects with `lease_lost`, or `entry_answered` when it does not wait. */
  beginInboxEntry(sessionId: string, generation: number, entryId: string): Promise<void>;
  /** Answers an entry; one whose command makes events is answered in their batch instead. Rejects with `lease_lost`, or `entry_answered` when it does not wait. */
  answerInboxEntry(sessionId: string, generation: number, answer: InboxAnswer): Promise<void>;
  /** The result, for as long as whoever sent the command may wait for it, also when the session is gone. */
  findInboxAnswer(entryId: string): Promise<string | undefined>;
}
