import { type Clock, detach, startTimer } from "@turnwire/base";
import type { Result } from "@turnwire/protocol";
import { type Store, StoreError, type StoreHint } from "@turnwire/log";
import type { InboxCommand } from "../../2-session/port/inbox-command.ts";

/** How often those who wait look without a hint. */
const LOOK_MS = 500;

export interface InboxSenderOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** How long the answer of the session's host is waited for. */
  readonly waitMs: number;
  /** Takes the session over where no other host has it and this one may run it. */
  readonly takeOver: (sessionId: string) => Promise<unknown>;
  readonly onError: (error: unknown) => void;
}

/** What became of a command in the time in which an answer was waited for. */
export type SentCommand<Value> =
  | { readonly type: "answered"; readonly result: Result<Value> }
  /** It is stored, and whichever host runs the session will carry it out. */
  | { readonly type: "pending" }
  /** The session is gone. */
  | { readonly type: "gone" };

type Outcome =
  | { readonly type: "answered"; readonly result: string }
  | { readonly type: "pending" }
  | { readonly type: "gone" };

interface WaitingEntry {
  readonly entryId: string;
  readonly sessionId: string;
  readonly isDeletion: boolean;
  readonly settle: (outcome: Outcome) => void;
}

/** Puts commands into the inboxes of sessions that other hosts run, and waits for their answers. */
export class InboxSender {
  readonly #options: InboxSenderOptions;
  readonly #waiting = new Map<string, WaitingEntry>();
  #cancelPoll: (() => void) | undefined;
  #isClosed = false;

  constructor(options: InboxSenderOptions) {
    this.#options = options;
  }

  async send<Value>(sessionId: string, command: InboxCommand): Promise<SentCommand<Value>> {
    const { store } = this.#options;
    let entryId: string;
    try {
      entryId = await store.putInboxEntry(sessionId, JSON.stringify(command));
    } catch (error) {
      if (error instanceof StoreError && error.code === "session_unknown") return { type: "gone" };
      throw error;
    }
    const isDeletion = command.kind === "delete";
    const outcome = await this.#outcome({ entryId, sessionId, isDeletion });
    if (outcome.type !== "answered") return outcome;
    // The host of the session wrote it, in this form.
    const result: Result<Value> = JSON.parse(outcome.result);
    return { type: "answered", result };
  }

  onHint(hint: StoreHint): void {
    switch (hint.type) {
      case "answer": {
        const entry = this.#waiting.get(hint.entryId);
        if (entry) this.#poll(entry);
        return;
      }
      case "removed":
        for (const entry of this.#waitingFor(hint.sessionId)) this.#poll(entry);
        return;
      case "released":
        if (this.#waitingFor(hint.sessionId).length > 0) this.#takeOver(hint.sessionId);
        return;
      case "gap":
        this.#pollAll();
        return;
      case "events":
      case "created":
      case "inbox":
      case "value":
    }
  }

  close(): void {
    this.#isClosed = true;
    this.release();
  }

  /** No one waits any longer; what was sent stays stored. */
  release(): void {
    for (const { settle } of this.#waiting.values()) settle({ type: "pending" });
  }

  #outcome(sent: Omit<WaitingEntry, "settle">): Promise<Outcome> {
    if (this.#isClosed) return Promise.resolve({ type: "pending" });
    const { clock, waitMs } = this.#options;
    const { entryId } = sent;
    return new Promise((resolve) => {
      const settle = (outcome: Outcome): void => {
        cancelWait();
        this.#waiting.delete(entryId);
        if (this.#waiting.size === 0) this.#stopLooking();
        resolve(outcome);
      };
      const cancelWait = startTimer(clock, waitMs, () => settle({ type: "pending" }));
      const entry = { ...sent, settle };
      this.#waiting.set(entryId, entry);
      this.#cancelPoll ??= this.#pollLater();
      // The answer may have come before anyone waited for it.
      this.#poll(entry);
    });
  }

  #pollLater(): () => void {
    return startTimer(this.#options.clock, LOOK_MS, () => {
      this.#cancelPoll = this.#pollLater();
      this.#pollAll();
    });
  }

  #stopLooking(): void {
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
  }

  #pollAll(): void {
    const entries = [...this.#waiting.values()];
    for (const entry of entries) this.#poll(entry);
    for (const id of new Set(entries.map(({ sessionId }) => sessionId))) this.#takeOver(id);
  }

  #poll(entry: WaitingEntry): void {
    detach(this.#find(entry), (error) => this.#report(error));
  }

  async #find({ entryId, sessionId, isDeletion, settle }: WaitingEntry): Promise<void> {
    const { store } = this.#options;
    const result = await store.findInboxAnswer(entryId);
    if (result !== undefined) return settle({ type: "answered", result });
    // A deletion is answered when the session is gone and its worktree has been seen to.
    if (isDeletion || (await store.getSession(sessionId)) !== undefined) return;
    // It may have been answered in between, before the session was removed.
    const last = await store.findInboxAnswer(entryId);
    settle(last === undefined ? { type: "gone" } : { type: "answered", result: last });
  }

  #takeOver(sessionId: string): void {
    detach(this.#options.takeOver(sessionId), (error) => this.#report(error));
  }

  #waitingFor(sessionId: string): WaitingEntry[] {
    return [...this.#waiting.values()].filter((entry) => entry.sessionId === sessionId);
  }

  /** A store that is away is asked again soon. */
  #report(error: unknown): void {
    if (error instanceof StoreError && error.code === "unavailable") return;
    this.#options.onError(error);
  }
}
