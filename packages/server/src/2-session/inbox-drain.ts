import { detach } from "@turnwire/base";
import {
  type Command,
  rejected,
  type Result,
  type SessionInfo,
  type SystemPrompt,
  type WireError,
  type WorktreeChoice,
  type WorktreeRemoval,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import {
  type InboxEntry,
  type Lease,
  type ReadableLog,
  type Store,
  StoreError,
} from "@turnwire/log";
import {
  type CommandSource,
  type InboxCommand,
  inboxCommandFrom,
  isDecided,
} from "./port/inbox-command.ts";
import type { Accepted } from "@turnwire/wire";

/** How many entries are read at once: few, since each may be a message of 20 MiB. */
const PAGE = 10;

/** What the commands of an inbox are carried out by: the session itself. */
export interface InboxTarget {
  /** Whether it takes commands. */
  readonly acceptsCommands: boolean;
  readonly log: Pick<ReadableLog, "settled">;
  execute(
    command: Command,
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Accepted>>;
  update(
    commands: readonly SettingCommand[],
    principal: Principal,
    source?: CommandSource,
  ): Promise<Result<Accepted>>;
  wake(): Promise<Result<SessionInfo>>;
  instruct(prompt: SystemPrompt, principal: Principal): Promise<Result<void>>;
}

export interface InboxDrainOptions {
  readonly store: Store;
  readonly lease: Lease;
  readonly target: InboxTarget;
  readonly remove: (
    principal: Principal,
    choice: WorktreeChoice,
  ) => Promise<Result<WorktreeRemoval | undefined>>;
  /** Whether the session may go to a host that asks for it; an error says why not. */
  readonly checkHandOver: () => Result<void>;
  readonly release: () => void;
  readonly onError: (error: unknown) => void;
}

/**
 * Carries out what other hosts have put into a session's inbox, in order. Promises: a command that is
 * decided has its effect once, whichever hosts die, since its answer is stored with its events; one that
 * takes longer is begun at most once, and does not hold up those after it.
 */
export class InboxDrain {
  readonly #options: InboxDrainOptions;
  /** Entries that are being carried out beside the others. */
  readonly #running = new Set<string>();
  #isDraining = false;
  #isWanted = false;

  constructor(options: InboxDrainOptions) {
    this.#options = options;
  }

  /** There may be something in the inbox. */
  poll(): void {
    this.#isWanted = true;
    if (this.#isDraining || !this.#options.target.acceptsCommands) return;
    this.#isDraining = true;
    detach(this.#drain(), (error) => this.#report(error));
  }

  async #drain(): Promise<void> {
    try {
      while (this.#isWanted) {
        this.#isWanted = false;
        await this.#readOnce();
      }
    } finally {
      // In the same step as the last look at what is wanted: what is wanted later starts another.
      this.#isDraining = false;
    }
  }

  async #readOnce(): Promise<void> {
    const { store, lease, target } = this.#options;
    const limit = PAGE + this.#running.size;
    const entries = await store.readInbox(lease.record.sessionId, limit);
    let isAnyDone = false;
    for (const entry of entries) {
      if (!target.acceptsCommands) return;
      if (this.#running.has(entry.entryId)) continue;
      isAnyDone = (await this.#carryOut(entry)) || isAnyDone;
    }
    if (isAnyDone && entries.length === limit) this.#isWanted = true;
  }

  /** False for what stays in the inbox, for a later look or another host. */
  async #carryOut(entry: InboxEntry): Promise<boolean> {
    const { entryId } = entry;
    const parsed = inboxCommandFrom(entry.body);
    if (!parsed.ok) return this.#answer(entryId, parsed);
    const command = parsed.value;
    if (entry.begunIn !== undefined) return this.#answer(entryId, commandLost());
    if (command.kind === "delete") return this.#runBeside(entryId, this.#remove(command));
    if (command.kind === "hand_over") return this.#handOver(entryId);
    const decided = this.#decide(command, entryId);
    if (decided) return this.#conclude(entryId, await decided);
    const { store, lease } = this.#options;
    await store.beginInboxEntry(lease.record.sessionId, lease.generation, entryId);
    return this.#runBeside(entryId, this.#perform(command));
  }

  /** What was accepted is answered already, with its events. */
  async #conclude(entryId: string, result: Result<Accepted>): Promise<boolean> {
    if (result.ok && result.value.duplicate !== true) return true;
    if (!result.ok && isForLater(result.error)) return false;
    const { target } = this.#options;
    // What it was decided by must be stored, or the answer would mean nothing.
    await target.log.settled;
    return target.acceptsCommands && this.#answer(entryId, result);
  }

  /** Undefined for what cannot be decided and stored in one step. */
  #decide(command: InboxCommand, entryId: string): Promise<Result<Accepted>> | undefined {
    const { target } = this.#options;
    if (command.kind === "update") {
      return target.update(command.commands, command.principal, { entryId });
    }
    if (command.kind !== "command" || !isDecided(command.command)) return undefined;
    const { principal, messageId } = command;
    return target.execute(command.command, principal, { entryId, messageId });
  }

  /** Answered before the session goes: afterwards this host can no longer. */
  async #handOver(entryId: string): Promise<boolean> {
    const checked = this.#options.checkHandOver();
    await this.#answer(entryId, checked);
    if (checked.ok) this.#options.release();
    return true;
  }

  #perform(
    command: Exclude<InboxCommand, { kind: "delete" | "hand_over" }>,
  ): Promise<Result<unknown>> {
    const { target } = this.#options;
    switch (command.kind) {
      case "update":
        return target.update(command.commands, command.principal);
      case "command":
        return target.execute(command.command, command.principal);
      case "wake":
        return target.wake();
      case "instruct":
        return target.instruct(command.prompt, command.principal);
    }
  }

  #remove({
    principal,
    choice,
  }: Extract<InboxCommand, { kind: "delete" }>): Promise<Result<unknown>> {
    return this.#options.remove(principal, choice);
  }

  /** Carries out what takes longer; others follow meanwhile. */
  #runBeside(entryId: string, work: Promise<Result<unknown>>): true {
    this.#running.add(entryId);
    const done = work
      .catch((error: unknown) => {
        this.#report(error);
        return rejected(
          "internal",
          "The command failed: look at the session before sending it again.",
        );
      })
      .then((result) => this.#answer(entryId, result))
      .finally(() => this.#running.delete(entryId));
    detach(done, (error) => this.#report(error));
    return true;
  }

  /** Where the lease is lost, the next host answers. */
  async #answer(entryId: string, result: Result<unknown>): Promise<true> {
    const { store, lease } = this.#options;
    const { sessionId } = lease.record;
    try {
      const answer = { entryId, result: JSON.stringify(result) };
      await store.answerInboxEntry(sessionId, lease.generation, answer);
    } catch (error) {
      if (!isSettledElsewhere(error)) throw error;
    }
    return true;
  }

  /** A store that is away is asked again, by whichever host has the session then. */
  #report(error: unknown): void {
    const isAway = error instanceof StoreError && error.code === "unavailable";
    if (!isAway && !isSettledElsewhere(error)) this.#options.onError(error);
  }
}

/** Whether the session could not take the command now: it stays for when it can, here or on another host. */
function isForLater({ code }: WireError): boolean {
  return code === "overloaded" || code === "store_unavailable" || code === "shutting_down";
}

/** Whether somebody else answers for the session by now, or has answered. */
function isSettledElsewhere(error: unknown): boolean {
  return (
    error instanceof StoreError &&
    (error.code === "lease_lost" ||
      error.code === "entry_answered" ||
      error.code === "session_unknown")
  );
}

function commandLost(): ReturnType<typeof rejected> {
  const message =
    "The host stopped while it carried the command out: look at the session before sending it again.";
  return rejected("command_lost", message);
}
