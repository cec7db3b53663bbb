import { detach } from "@turnwire/base";
import { fold, type QueuedMessage, type SessionEvent, type SessionState } from "@turnwire/protocol";
import { eventFrom, type LogEnd } from "@turnwire/log";
import { foldLog, type FoldableLog } from "../../../2-session/record/fold-log.ts";
import type { FrameLogListener, FrameSourceLog } from "./frame-log.ts";
import type { InlinedEvent } from "./inlined-log.ts";

/** An event with the state before it: what a stateful dialect makes frames of. */
export interface FoldedEvent {
  readonly seq: number;
  readonly before: SessionState;
  readonly event: SessionEvent;
}

interface Folded {
  readonly events: readonly FoldedEvent[];
  /** After the last of them. */
  readonly state: SessionState;
}

/** The message that a turn begins with, where parts of it are stored beside the log. */
function largeMessageOf({ before, event }: FoldedEvent): QueuedMessage | undefined {
  if (event.type !== "turn_started") return undefined;
  const { message_id: id } = event.data;
  return before.queue.find(({ message_id, attachments }) => message_id === id && attachments);
}

/** One read of a reader that catches up with the live events. */
const PAGE_EVENTS = 256;
const PAGE_BYTES = 256 * 1024;
/** States that are kept to continue from, beside the newest. They share most of their parts. */
const MAX_CHECKPOINTS = 8;

export interface FoldedLogOptions {
  /** What becomes frames; may have attachments in their places. */
  readonly source: FrameSourceLog<InlinedEvent>;
  /** What is folded. */
  readonly log: FoldableLog;
  /** A message that begins a turn, with its attachments in their places. */
  readonly wholeMessage?: (message: QueuedMessage) => Promise<QueuedMessage>;
}

/**
 * A log whose events come with the state before them. It folds only while it has readers: once to
 * where they join, then along with the live events. Promise: the state before an event is the fold
 * of the plain log, the same live and replayed, whatever was trimmed before it; only the message
 * that a turn begins with is whole in it.
 */
export class FoldedLog implements FrameSourceLog<FoldedEvent> {
  readonly #options: FoldedLogOptions;
  readonly #sessionId: string;
  /** The newest event that was handed out: until the fold has caught up there are newer ones. */
  #head: number;
  /** Least recently used first. */
  #checkpoints: SessionState[] = [];

  constructor(options: FoldedLogOptions) {
    this.#options = options;
    this.#sessionId = options.log.sessionId;
    this.#head = options.source.head;
  }

  get head(): number {
    return this.#head;
  }

  /** Never at once: the state before may have to be folded. */
  recent(): undefined {
    return undefined;
  }

  async read(after: number, limit: number, maxBytes?: number): Promise<readonly FoldedEvent[]> {
    const read = await this.#options.source.read(after, limit, maxBytes);
    const stored = read.filter(({ seq }) => seq <= this.#head);
    const [first] = stored;
    if (!first) return [];
    const { events, state } = this.#foldAlong(await this.#stateAt(first.seq - 1), stored);
    this.#remember(state);
    return this.#withWholeMessages(events);
  }

  subscribe(listener: FrameLogListener<FoldedEvent>): () => void {
    const { source } = this.#options;
    let isLeft = false;
    let live: SessionState | undefined;
    let end: LogEnd | undefined;
    const next = (state: SessionState, stored: readonly InlinedEvent[]): Folded => {
      if (stored[0]?.seq !== state.seq + 1)
        throw new Error("the log was trimmed while it was read");
      return this.#foldAlong(state, stored);
    };
    const hand = ({ events, state }: Folded): SessionState => {
      this.#head = state.seq;
      listener.onEvents(events);
      return state;
    };
    const fail = (): void => {
      if (isLeft) return;
      isLeft = true;
      listener.onEnd("released");
    };
    // A fault in a dialect ends its readers' streams, never the log that they read.
    const handOrEnd = (from: SessionState, stored: readonly InlinedEvent[]): void => {
      try {
        const folded = next(from, stored);
        live = this.#needsWholeMessage(folded.events) ? undefined : hand(folded);
      } catch {
        return fail();
      }
      // A message that has to be loaded first is read from the log again.
      if (!live) detach(catchUp(from), fail);
    };
    const leave = source.subscribe({
      onEvents: (stored) => {
        // Until the fold has caught up, they are read from the log when it is their turn.
        if (live && !isLeft) handOrEnd(live, stored);
      },
      onEnd: (reason) => {
        end = reason;
        if (live && !isLeft) listener.onEnd(reason);
      },
    });
    const isBehind = ({ seq }: SessionState): boolean => !isLeft && seq < source.head;
    const catchUp = async (from?: SessionState): Promise<void> => {
      let state = from ?? (await this.#stateAt(this.#head));
      while (isBehind(state)) {
        const folded = next(state, await source.read(state.seq, PAGE_EVENTS, PAGE_BYTES));
        const events = await this.#withWholeMessages(folded.events);
        if (!isLeft) state = hand({ ...folded, events });
      }
      live = state;
      if (end && !isLeft) listener.onEnd(end);
    };
    // Readers that cannot be served here come back, and find why they cannot.
    detach(catchUp(), fail);
    return () => {
      isLeft = true;
      leave();
    };
  }

  #needsWholeMessage(events: readonly FoldedEvent[]): boolean {
    return this.#options.wholeMessage !== undefined && events.some(largeMessageOf);
  }

  async #withWholeMessages(events: readonly FoldedEvent[]): Promise<readonly FoldedEvent[]> {
    const { wholeMessage } = this.#options;
    if (!wholeMessage || !this.#needsWholeMessage(events)) return events;
    const whole: FoldedEvent[] = [];
    for (const each of events) {
      const large = largeMessageOf(each);
      if (!large) whole.push(each);
      else {
        const message = await wholeMessage(large);
        const queue = each.before.queue.map((queued) => (queued === large ? message : queued));
        whole.push({ ...each, before: { ...each.before, queue } });
      }
    }
    return whole;
  }

  #foldAlong(from: SessionState, stored: readonly InlinedEvent[]): Folded {
    let state = from;
    const events = stored.map((each): FoldedEvent => {
      const event = eventFrom(this.#sessionId, each);
      const before = state;
      state = fold(before, each.plain ? eventFrom(this.#sessionId, each.plain) : event);
      return { seq: each.seq, before, event };
    });
    return { events, state };
  }

  async #stateAt(seq: number): Promise<SessionState> {
    const known = this.#checkpoints.filter((state) => state.seq <= seq);
    const nearest = known.reduce<SessionState | undefined>(
      (best, state) => (best && best.seq >= state.seq ? best : state),
      undefined,
    );
    const from = nearest ?? (await this.#options.log.readBase());
    const state = await foldLog(this.#options.log, from, seq);
    if (state.seq !== seq) throw new Error(`the log no longer has the state at ${seq}`);
    this.#remember(state);
    return state;
  }

  #remember(state: SessionState): void {
    const others = this.#checkpoints.filter(({ seq }) => seq !== state.seq);
    this.#checkpoints = [...others, state].slice(-MAX_CHECKPOINTS);
  }
}
