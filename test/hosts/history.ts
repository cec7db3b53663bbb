/**
 * What a run against several hosts did and saw, entry by entry in the order of time. A history is
 * data only: it can be kept in a file (one line of JSON per entry) and checked later, elsewhere.
 */

export const faultKinds = ["kill", "pause", "cut", "drain", "restart_database"] as const;
export type FaultKind = (typeof faultKinds)[number];

interface Timed {
  /** Milliseconds since the run began, by a clock that never steps. */
  readonly atMs: number;
}

/** A message or an answer left for a host. Each try is an operation of its own. */
export interface Sent extends Timed {
  readonly type: "sent";
  readonly operation: string;
  readonly host: string;
  readonly sessionId: string;
  readonly input: Input;
}

export type Input =
  | { readonly kind: "message"; readonly clientMessageId: string }
  | { readonly kind: "answer"; readonly correlationId: string; readonly isAllowed: boolean };

export interface Answered extends Timed {
  readonly type: "answered";
  readonly operation: string;
  /** The HTTP status; 0 when the connection broke before an answer came. */
  readonly status: number;
  /** The code of the wire error, if it is one. */
  readonly code?: string;
  /** Kept for the owner, who has not decided yet. */
  readonly isPending?: boolean;
}

/** A client opened a stream. */
export interface Connected extends Timed {
  readonly type: "connected";
  readonly client: string;
  readonly connection: number;
  readonly host: string;
  readonly sessionId: string;
  readonly after: number;
}

export interface Received extends Timed {
  readonly type: "received";
  readonly client: string;
  readonly connection: number;
  readonly sessionId: string;
  readonly seq: number;
  /** Of the event's JSON text. */
  readonly hash: string;
  /** The turn that ended with this event. */
  readonly endedTurn?: string;
}

/** The state that a client of the library holds in the end. */
export interface Folded extends Timed {
  readonly type: "folded";
  readonly client: string;
  readonly sessionId: string;
  readonly seq: number;
  readonly hash: string;
}

export interface Fault extends Timed {
  readonly type: "fault";
  readonly fault: number;
  readonly kind: FaultKind;
  /** Absent where the fault is not that of a host. */
  readonly host?: string;
  /** Turns that ran on that host when it began. */
  readonly openTurns: readonly { readonly sessionId: string; readonly turnId: string }[];
}

export interface Healed extends Timed {
  readonly type: "healed";
  readonly fault: number;
}

/** A session's whole log as one place has it when all is over. */
export interface FinalLog extends Timed {
  readonly type: "final_log";
  /** `store`, or a host's name. */
  readonly source: string;
  readonly sessionId: string;
  /** The JSON text of each event. */
  readonly events: readonly string[];
}

export type HistoryEntry =
  | Sent
  | Answered
  | Connected
  | Received
  | Folded
  | Fault
  | Healed
  | FinalLog;

export type EntryOf<Type extends HistoryEntry["type"]> = Extract<HistoryEntry, { type: Type }>;

/** The entries of one type. */
export function entriesOf<Type extends HistoryEntry["type"]>(
  history: readonly HistoryEntry[],
  type: Type,
): EntryOf<Type>[] {
  return history.filter((entry): entry is EntryOf<Type> => entry.type === type);
}
