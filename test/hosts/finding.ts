/** A promise that a history shows broken. */
export type Promised =
  /** A reader got past an event without it. */
  | "lost"
  /** A reader got an event again. */
  | "doubled"
  /** A reader got an event after one that comes later. */
  | "reordered"
  /** Two places have different bytes for one position, or a different state at it. */
  | "divergent"
  /** A reader never got to the end. */
  | "unfinished"
  /** A log has no event at a position before its end, or breaks the grammar. */
  | "malformed_log"
  | "ack_without_effect"
  | "effect_twice"
  /** Two answers to one request were both acknowledged as deciding it. */
  | "decided_twice"
  /** A turn, a request or a message was left open. */
  | "unsettled"
  /** A host's sessions stayed without an owner for too long. */
  | "late_takeover"
  /** A host answered with something that no client can act on. */
  | "unclear_answer";

export interface Finding {
  readonly broken: Promised;
  readonly sessionId?: string;
  readonly message: string;
}
