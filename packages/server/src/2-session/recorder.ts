import type { Control, EventDraft, SessionEvent } from "@turnwire/protocol";
import { foldControl } from "@turnwire/protocol";
import type { Clock } from "../1-runtime/clock.ts";
import { detach } from "../1-runtime/detach.ts";
import { admit } from "./admit.ts";
import { coalesce } from "./coalesce.ts";
import type { Appended, EventLog } from "./event-log.ts";
import { recordPatch } from "./session-record.ts";
import type { StoredInput } from "./store.ts";

/** A runtime that is ahead of the store by this much waits for it. */
const maxUncommittedBytes = 1024 * 1024;
const maxInbox = 512;

export interface RecorderOptions {
  readonly log: EventLog;
  readonly control: Control;
  readonly clock: Clock;
  readonly runtime: string;
  readonly requestTimeoutMs: number;
  /** Called with every batch once it is committed. */
  readonly onCommitted: (events: readonly SessionEvent[]) => void;
  /** The store refused a batch: the session cannot go on from this memory. */
  readonly onFailed: (error: unknown) => void;
}

/** The only way into a session's log: keeps the control in step with what was appended. */
export class Recorder {
  readonly log: EventLog;
  readonly #options: RecorderOptions;
  #control: Control;
  #inbox: EventDraft[] = [];
  #isFlushPlanned = false;

  constructor(options: RecorderOptions) {
    this.log = options.log;
    this.#options = options;
    this.#control = options.control;
  }

  /** The state with everything appended so far, committed or on its way. */
  get control(): Control {
    return this.#control;
  }

  /** Appends what a decision made, after everything the runtime said before it. */
  record(drafts: readonly EventDraft[], inputs?: readonly StoredInput[]): Appended {
    this.flush();
    return this.#append(drafts, inputs);
  }

  /** Takes what a runtime made. It is appended at the end of this tick, with all that came in it. */
  async offer(drafts: readonly EventDraft[]): Promise<void> {
    this.#inbox.push(...drafts);
    if (this.#inbox.length >= maxInbox) this.flush();
    if (!this.#isFlushPlanned) {
      this.#isFlushPlanned = true;
      setImmediate(() => {
        this.#isFlushPlanned = false;
        this.flush();
      });
    }
    if (this.log.uncommittedBytes > maxUncommittedBytes) await this.log.settled;
  }

  /** Appends what the runtime has said until now. */
  flush(): void {
    if (this.#inbox.length === 0) return;
    const offered = coalesce(this.#inbox);
    this.#inbox = [];
    const { clock, requestTimeoutMs, runtime } = this.#options;
    const expiresAt = new Date(clock.now() + requestTimeoutMs).toISOString();
    let batch: EventDraft[] = [];
    for (const draft of offered) {
      if (needsCurrentControl(draft)) {
        // What the log takes depends on what came before, so that must be folded first.
        this.#append(batch);
        batch = [];
      }
      batch.push(...admit(this.#control, draft, { runtime, expiresAt }));
    }
    this.#append(batch);
  }

  #append(drafts: readonly EventDraft[], inputs?: readonly StoredInput[]): Appended {
    if (drafts.length === 0) return { events: [], committed: this.log.settled };
    const before = this.#control;
    let after = before;
    const appended = this.log.append(drafts, (events) => {
      for (const event of events) after = foldControl(after, event);
      const patch = recordPatch(before, after, events);
      return { ...(inputs && { inputs }), ...(patch && { patch }) };
    });
    this.#control = after;
    detach(
      appended.committed.then(() => this.#options.onCommitted(appended.events)),
      (error) => this.#options.onFailed(error),
    );
    return appended;
  }
}

function needsCurrentControl(draft: EventDraft): boolean {
  switch (draft.type) {
    case "delta":
    case "thinking":
    case "tool_input_delta":
    case "tool_start":
    case "tool_output":
    case "tool_result":
    case "native":
      return false;
    default:
      return true;
  }
}
