import { type Control, type EventDraft, foldControl, type SessionEvent } from "@turnwire/protocol";
import { type Clock, detach } from "@turnwire/base";
import { StoreError, type ReadableLog } from "@turnwire/log";
import {
  type Appended,
  type AppendExtras,
  type EventLog,
  refusedAppend,
} from "@turnwire/log/event-log";
import { admit } from "../decide/admit.ts";
import { coalesce } from "../decide/coalesce.ts";
import { recordPatch } from "./session-record.ts";
import type { ComponentIndex } from "../ui/component-index.ts";
import { wellFormed } from "../decide/well-formed.ts";

/** A runtime that is ahead of the store by this much waits for it. */
const maxUncommittedBytes = 1024 * 1024;
const maxInbox = 512;

/** What goes into the store with a decision's events. */
type RecordExtras = Pick<AppendExtras, "inputs" | "answers">;

export interface RecorderOptions {
  readonly log: EventLog;
  readonly control: Control;
  /** Follows what is appended. */
  readonly components: ComponentIndex;
  readonly clock: Clock;
  readonly runtime: string;
  readonly requestTimeoutMs: number;
  /** How long a call of a frontend tool may stay without a page that performs it. */
  readonly toolTimeoutMs: (toolName: string) => number;
  /** Called with every batch once it is committed; `ms` is how long the store took. */
  readonly onCommitted: (events: readonly SessionEvent[], ms: number) => void;
  /** A batch could not be written, after `ms`: the session cannot continue from this memory. Called at most once. */
  readonly onFailed: (error: unknown, ms: number) => void;
}

/**
 * The only way into a session's log: keeps the control in step with what was appended. After a
 * failure, or once it is closed, it takes nothing more.
 */
export class Recorder {
  readonly #log: EventLog;
  readonly #options: RecorderOptions;
  #control: Control;
  #inbox: EventDraft[] = [];
  #isFlushPlanned = false;
  #refusal: Error | undefined;

  constructor(options: RecorderOptions) {
    this.#log = options.log;
    this.#options = options;
    this.#control = options.control;
  }

  get log(): ReadableLog {
    return this.#log;
  }

  /** The state with everything appended so far, committed or on its way. */
  get control(): Control {
    return this.#control;
  }

  /** Appends what a decision made, after everything the runtime said before it. */
  record(drafts: readonly EventDraft[], extras: RecordExtras = {}): Appended {
    this.flush();
    return this.#append(drafts, extras);
  }

  /** Takes what a runtime made. It is appended at the end of this tick, with all that came in it. */
  async offer(drafts: readonly EventDraft[]): Promise<void> {
    if (this.#refusal) return;
    this.#inbox.push(...drafts);
    if (this.#inbox.length >= maxInbox) this.flush();
    if (!this.#isFlushPlanned) {
      this.#isFlushPlanned = true;
      setImmediate(() => {
        this.#isFlushPlanned = false;
        this.flush();
      });
    }
    if (this.#log.uncommittedBytes > maxUncommittedBytes) await this.#log.settled;
  }

  /** Appends what the runtime has said until now. */
  flush(): void {
    if (this.#inbox.length === 0) return;
    const offered = this.#inbox;
    this.#inbox = [];
    try {
      this.#appendOffered(offered);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Appends what is left and takes nothing more; resolves when the store has it. */
  async close(): Promise<void> {
    this.flush();
    this.#refusal ??= new StoreError("unavailable", "the session has ended");
    await this.#log.settled;
  }

  #appendOffered(drafts: readonly EventDraft[]): void {
    const { clock, requestTimeoutMs, toolTimeoutMs, runtime } = this.#options;
    const after = (ms: number) => new Date(clock.now() + ms).toISOString();
    const context = {
      runtime,
      now: after(0),
      expiresAt: after(requestTimeoutMs),
      toolCallExpiresAt: (toolName: string) => after(toolTimeoutMs(toolName)),
    };
    let batch: EventDraft[] = [];
    for (const draft of coalesce(drafts.map((offered) => wellFormed(offered, runtime)))) {
      if (needsCurrentControl(draft)) {
        // What the log takes depends on what came before, so that must be folded first.
        this.#append(batch);
        batch = [];
      }
      batch.push(...admit(this.#control, draft, context));
    }
    this.#append(batch);
  }

  #append(drafts: readonly EventDraft[], extras: RecordExtras = {}): Appended {
    if (this.#refusal) return refusedAppend(this.#refusal);
    if (drafts.length === 0 && !extras.answers) {
      return { events: [], committed: this.#log.settled };
    }
    const { clock, components, onCommitted } = this.#options;
    const startedAt = clock.now();
    const before = this.#control;
    let after = before;
    const appended = this.#log.append(versioned(before, drafts), (events) => {
      for (const event of events) {
        after = foldControl(after, event);
        components.observe(event);
      }
      const patch = recordPatch(before, after, events);
      return { ...extras, ...(patch && { patch }) };
    });
    this.#control = after;
    detach(
      appended.committed.then(() => onCommitted(appended.events, clock.now() - startedAt)),
      (error) => this.#fail(error, clock.now() - startedAt),
    );
    return appended;
  }

  #fail(error: unknown, ms = 0): void {
    if (this.#refusal) return;
    this.#refusal = error instanceof Error ? error : new Error(String(error));
    this.#inbox = [];
    this.#options.onFailed(error, ms);
  }
}

/** Each change of the shared state has the next version, whoever makes it. */
function versioned(control: Control, drafts: readonly EventDraft[]): readonly EventDraft[] {
  let version = control.shared_version;
  return drafts.map((draft) =>
    draft.type === "state_delta" || draft.type === "state_snapshot"
      ? ({ ...draft, data: { ...draft.data, version: ++version } } as EventDraft)
      : draft,
  );
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
    case "native_line":
      return false;
    default:
      return true;
  }
}
