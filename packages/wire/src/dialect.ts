import type { Command, Control, Result, SessionEvent, SessionState } from "@turnwire/protocol";
import type { StoredEvent } from "@turnwire/log";

/** One message in a wire language. */
export interface Frame {
  readonly name: string;
  readonly data: string;
}

interface DialectFacts {
  readonly name: string;
  /** For clients that know no attachments: events up to this size are framed with theirs in place. */
  readonly inlinedBytes?: number;
  /** `control` is what the input may refer to, such as a question by its place. */
  commandFrom(input: unknown, control: Control): Result<Command>;
}

/** A wire language in which the frames of each event are made from that event alone. */
export interface StatelessDialect extends DialectFacts {
  readonly type: "stateless";
  /** One or more. The last one carries the event's position. */
  frames(event: StoredEvent, sessionId: string): readonly Frame[];
}

/**
 * A wire language whose frames depend on what came before. The one fold is its memory: it keeps none
 * of its own, so that any process can continue it after any event. The functions are pure.
 */
export interface StatefulDialect extends DialectFacts {
  readonly type: "stateful";
  /** None to many frames. The last one of an event carries its position. */
  frames(before: SessionState, event: SessionEvent): readonly Frame[];
  /** For a reader that joins at this state: the frames that replace those of all events up to it. */
  opening(state: SessionState): readonly Frame[];
}

/** A wire language: frames from the log, commands from input. */
export type Dialect = StatelessDialect | StatefulDialect;
