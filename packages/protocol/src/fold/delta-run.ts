import type { SessionEvent, SessionEventOf } from "../event/event.ts";

/**
 * Deltas of one message that follow each other, joined into one before they are folded:
 * most of a log is such runs, and the text they make is then one string, not a tree of them.
 */
export class DeltaRun {
  readonly #first: SessionEventOf<"delta">;
  readonly #texts: string[];
  #last: SessionEventOf<"delta">;

  constructor(first: SessionEventOf<"delta">) {
    this.#first = first;
    this.#last = first;
    this.#texts = [first.data.text];
  }

  /** Takes the event in if it continues the run, or was in the log before it. */
  takes(event: SessionEvent): boolean {
    if (event.seq <= this.#last.seq) return true;
    if (
      event.type !== "delta" ||
      event.data.message_id !== this.#first.data.message_id ||
      event.turn_id !== this.#first.turn_id ||
      event.subagent_id !== this.#first.subagent_id
    ) {
      return false;
    }
    this.#texts.push(event.data.text);
    this.#last = event;
    return true;
  }

  /** The run as one event in the place of its first. */
  joined(): SessionEventOf<"delta"> {
    const { message_id } = this.#first.data;
    return { ...this.#first, data: { message_id, text: this.#texts.join("") } };
  }

  get last(): SessionEventOf<"delta"> {
    return this.#last;
  }
}
