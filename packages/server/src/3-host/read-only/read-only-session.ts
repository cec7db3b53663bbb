import type { Clock } from "@turnwire/base";
import {
  type Command,
  type Control,
  controlOf,
  type CreateSession,
  foldControl,
  initialControl,
  type Result,
  type SessionInfo,
  type SessionState,
  wireError,
  type WireError,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import {
  damagedError,
  type DamagedRange,
  eventFrom,
  type OwnedLog,
  type ReadableLog,
  type SessionRecord,
  type Store,
  StoreError,
} from "@turnwire/log";
import { EventLog } from "@turnwire/log/event-log";
import type { Runtime } from "@turnwire/runtime";
import type { Accepted, OpenSession } from "@turnwire/wire";
import { infoFromRecord } from "../../2-session/record/session-record.ts";
import { SnapshotFolder } from "../../2-session/record/snapshot.ts";
import { readPages } from "../../2-session/decide/turn-list.ts";

export interface ReadOnlyOptions {
  readonly record: SessionRecord;
  /** Why the session cannot be held: `damaged`, or the store cannot write. */
  readonly cause: StoreError;
  readonly store: Store;
  readonly clock: Clock;
  readonly runtime: Runtime | undefined;
  /** The session itself, when it can be held or followed after all. */
  readonly reopen: (principal: Principal) => Promise<OpenSession | undefined>;
}

interface WholePart {
  readonly log: OwnedLog;
  readonly control: Control;
  readonly range?: DamagedRange;
}

/**
 * What can be read of a session without a lease: all of it while the store cannot write, the events
 * before the damage where it is damaged. Takes no commands.
 */
export class ReadOnlySession implements OpenSession {
  readonly id: string;
  readonly owner: string;
  readonly log: ReadableLog;
  readonly control: Control;
  /** Of its events; undefined when none is damaged. */
  readonly range: DamagedRange | undefined;
  readonly isDamaged: boolean;
  readonly #log: OwnedLog;
  readonly #options: ReadOnlyOptions;
  readonly #snapshots: SnapshotFolder;

  private constructor(options: ReadOnlyOptions, { log, control, range }: WholePart) {
    const { record, cause, clock } = options;
    this.id = record.sessionId;
    this.owner = record.owner;
    this.log = log;
    this.#log = log;
    this.control = control;
    this.range = range;
    this.isDamaged = cause.code === "damaged";
    this.#options = options;
    this.#snapshots = new SnapshotFolder(log, clock);
  }

  static async load(options: ReadOnlyOptions): Promise<ReadOnlySession> {
    const whole = await readWhole(options);
    // Readers get what is whole; what comes next is the answer to their next request.
    if (whole.range) whole.log.end("released");
    return new ReadOnlySession(options, whole);
  }

  get creation(): CreateSession {
    return this.#options.record.options;
  }

  info(): SessionInfo {
    const { record, runtime } = this.#options;
    return infoFromRecord(record, runtime, this.isDamaged ? { range: this.range } : undefined);
  }

  async execute(command: Command, principal: Principal): Promise<Result<Accepted>> {
    const session = await this.#reopened(principal);
    return session ? session.execute(command, principal) : this.#refusal();
  }

  async update(
    commands: readonly SettingCommand[],
    principal: Principal,
  ): Promise<Result<Accepted>> {
    const session = await this.#reopened(principal);
    return session ? session.update(commands, principal) : this.#refusal();
  }

  async snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }> {
    const state = await this.#snapshots.current();
    return { seq: state.seq, epoch: this.log.epoch, state };
  }

  async wake(): Promise<Result<SessionInfo>> {
    return this.#refusal();
  }

  async instruct(): Promise<Result<void>> {
    return this.#refusal();
  }

  attach(): () => void {
    return () => undefined;
  }

  /** Sends readers away to where the session is now. */
  end(reason: "closed" | "released"): void {
    this.#snapshots.stop();
    this.#log.end(reason);
  }

  async #reopened(principal: Principal): Promise<OpenSession | undefined> {
    return this.isDamaged ? undefined : this.#options.reopen(principal);
  }

  #refusal(): { readonly ok: false; readonly error: WireError } {
    const error = this.isDamaged
      ? damagedError(this.range)
      : wireError("store_unavailable", "The store cannot write now; try again.");
    return { ok: false, error };
  }
}

/** Folds a log as far as it is whole. */
async function readWhole({ record, cause, store, clock }: ReadOnlyOptions): Promise<WholePart> {
  const openLog = (part: SessionRecord, damage?: DamagedRange): OwnedLog =>
    new EventLog({
      store,
      lease: { generation: 0, record: part },
      clock,
      ringSize: 1,
      ...(damage && { damage }),
    });
  let control = initialControl();
  let range = cause.range;
  try {
    const log = openLog(record);
    const base = await store.readBase(record.sessionId);
    if (base) control = controlOf(base.state);
    for await (const page of readPages(log, record.head)) {
      for (const stored of page) control = foldControl(control, eventFrom(log.sessionId, stored));
    }
    if (!range) return { log, control };
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== "damaged") throw error;
    range = error.range ?? range;
  }
  if (!range) throw cause;
  const head = Math.max(record.trimmed, range.first - 1);
  return { log: openLog({ ...record, head }, range), control, range };
}
