import type { Command, Control, Result } from "@turnwire/protocol";
import type { StoredEvent } from "@turnwire/log";

/** One event in a wire language. */
export interface Frame {
  readonly name: string;
  readonly data: string;
}

/** A wire language: two pure functions, frames from events and commands from input. */
export interface Dialect {
  readonly name: string;
  /** For clients that know no attachments: events up to this size are framed with theirs in place. */
  readonly inlinedBytes?: number;
  /** Exactly one frame an event, so that positions stay contiguous in every dialect. */
  frame(event: StoredEvent, sessionId: string): Frame;
  /** `control` is what the input may refer to, such as a question by its place. */
  commandFrom(input: unknown, control: Control): Result<Command>;
}
