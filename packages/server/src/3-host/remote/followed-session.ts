import { randomUUID } from "node:crypto";
import type { Clock } from "@turnwire/base";
import {
  accepted,
  type Command,
  type CommandOf,
  type Control,
  controlOf,
  type CreateSession,
  foldControl,
  initialControl,
  rejected,
  type Result,
  type SessionInfo,
  type SessionState,
  type SystemPrompt,
  type WorktreeChoice,
  type WorktreeRemoval,
  type SettingCommand,
  type Principal,
} from "@turnwire/protocol";
import {
  eventFrom,
  FollowedLog,
  type LogEnd,
  type ReadableLog,
  type SessionRecord,
  type Store,
  type StoredEvent,
} from "@turnwire/log";
import type { Runtime } from "@turnwire/runtime";
import { unknownSession } from "../../2-session/port/host-rejection.ts";
import { IdleWatch } from "../../2-session/watch/idle-watch.ts";
import type { InboxCommand } from "../../2-session/port/inbox-command.ts";
import type { InboxSender } from "./inbox-sender.ts";
import type { Accepted, OpenSession } from "@turnwire/wire";
import { activityTime, infoFromControl } from "../../2-session/record/session-record.ts";
import { SnapshotFolder } from "../../2-session/record/snapshot.ts";

export interface FollowedSessionOptions {
  readonly record: SessionRecord;
  readonly store: Store;
  readonly clock: Clock;
  readonly runtime: Runtime;
  readonly ringSize: number;
  /** How long it is followed after the last one who asked for it. */
  readonly idleMs: number;
  readonly inbox: Pick<InboxSender, "send">;
  /** No one has asked for it for a while. */
  readonly onIdle: () => void;
}

/** A session that another host runs: read from the store as it grows, commanded through its inbox. */
export class FollowedSession implements OpenSession {
  readonly id: string;
  readonly owner: string;
  readonly #options: FollowedSessionOptions;
  readonly #log: FollowedLog;
  readonly #snapshots: SnapshotFolder;
  readonly #idle: IdleWatch;
  #control: Control;
  #updatedAt: string;

  private constructor(options: FollowedSessionOptions, control: Control) {
    const { record, store, clock, ringSize, idleMs, onIdle } = options;
    this.id = record.sessionId;
    this.owner = record.owner;
    this.#options = options;
    this.#control = control;
    this.#updatedAt = record.updatedAt;
    this.#log = new FollowedLog({ store, record, ringSize });
    this.#log.subscribe({
      onEvents: (events) => this.#take(events),
      onEnd: () => this.#stop(),
    });
    this.#snapshots = new SnapshotFolder(this.#log, clock);
    this.#idle = new IdleWatch({ clock, idleMs, canHibernate: () => true, onIdle });
    this.touch();
  }

  /** Follows a session from what retention has left of it on. */
  static async open(options: FollowedSessionOptions): Promise<FollowedSession> {
    const { record, store } = options;
    const base = record.trimmed > 0 ? await store.readBase(record.sessionId) : undefined;
    const from = base ? { ...record, trimmed: base.seq } : record;
    const control = base ? controlOf(base.state) : initialControl();
    return new FollowedSession({ ...options, record: from }, control);
  }

  get log(): ReadableLog {
    return this.#log;
  }

  get control(): Control {
    return this.#control;
  }

  get creation(): CreateSession {
    const { options, systemPrompt } = this.#options.record;
    return systemPrompt === undefined ? options : { ...options, system_prompt: systemPrompt };
  }

  /** Why it is not followed any more; undefined while it is. */
  get endReason(): LogEnd | undefined {
    return this.#log.endReason;
  }

  info(): SessionInfo {
    const { record, runtime } = this.#options;
    const current = { ...record, updatedAt: this.#updatedAt, head: this.#log.head };
    return infoFromControl(current, this.#control, runtime);
  }

  /** The store has events up to `head`; see FollowedLog. */
  advance(head: number): Promise<void> {
    return this.#log.advance(head);
  }

  async execute(command: Command, principal: Principal): Promise<Result<Accepted>> {
    if (command.type === "fork") return this.#fork(command, principal);
    const messageId = randomUUID();
    const isMessage = command.type === "user_message" || command.type === "steer";
    const sent = { kind: "command" as const, command, messageId, principal };
    return this.#command(sent, isMessage ? { messageId } : {});
  }

  async update(
    commands: readonly SettingCommand[],
    principal: Principal,
  ): Promise<Result<Accepted>> {
    return this.#command({ kind: "update", commands: [...commands], principal }, {});
  }

  async snapshot(): Promise<{ seq: number; epoch: string; state: SessionState }> {
    const state = await this.#snapshots.current();
    return { seq: state.seq, epoch: this.#log.epoch, state };
  }

  async wake(): Promise<Result<SessionInfo>> {
    return (await this.#send<SessionInfo>({ kind: "wake" })) ?? noAnswer();
  }

  async instruct(prompt: SystemPrompt, principal: Principal): Promise<Result<void>> {
    return (await this.#send<void>({ kind: "instruct", prompt, principal })) ?? noAnswer();
  }

  /** Has the host that runs the session delete it. */
  async delete(
    choice: WorktreeChoice,
    principal: Principal,
  ): Promise<Result<WorktreeRemoval | undefined>> {
    const command = { kind: "delete" as const, choice, principal };
    const removed = await this.#send<WorktreeRemoval | undefined>(command);
    if (removed) return removed;
    const { store } = this.#options;
    // Its host may have stopped when it had removed the session and not yet answered.
    return (await store.getSession(this.id)) === undefined ? accepted(undefined) : noAnswer();
  }

  attach(): () => void {
    return this.#idle.attach();
  }

  /** Somebody asked for it. */
  touch(): void {
    this.#idle.touch();
  }

  /** Sends readers away to where the session is now. */
  end(reason: LogEnd): void {
    this.#log.end(reason);
    this.#stop();
  }

  /** A copy that is not there yet has no id that could be answered with. */
  async #fork(command: CommandOf<"fork">, principal: Principal): Promise<Result<Accepted>> {
    const sent = { kind: "command" as const, command, messageId: randomUUID(), principal };
    return (
      (await this.#send<Accepted>(sent)) ??
      rejected(
        "command_lost",
        "The host that runs the session did not answer in time; the copy may still be made. Look for it before sending the command again.",
      )
    );
  }

  /** Accepted as its host accepts it, or as waiting for one. */
  async #command(
    command: InboxCommand,
    known: Pick<Accepted, "messageId">,
  ): Promise<Result<Accepted>> {
    const result = await this.#send<Accepted>(command);
    if (!result) return accepted({ seq: this.#log.head, isPending: true, ...known });
    // The caller can read its own write.
    if (result.ok) await this.#log.advance(result.value.seq).catch(() => undefined);
    return result;
  }

  /** Undefined when its host has not answered in time. */
  async #send<Value>(command: InboxCommand): Promise<Result<Value> | undefined> {
    this.touch();
    const sent = await this.#options.inbox.send<Value>(this.id, command);
    switch (sent.type) {
      case "answered":
        return sent.result;
      case "gone":
        return unknownSession(this.id);
      case "pending":
        return undefined;
    }
  }

  #take(events: readonly StoredEvent[]): void {
    const folded = events.map((stored) => eventFrom(this.id, stored));
    for (const event of folded) this.#control = foldControl(this.#control, event);
    this.#updatedAt = activityTime(folded) ?? this.#updatedAt;
  }

  #stop(): void {
    this.#snapshots.stop();
    this.#idle.stop();
  }
}

function noAnswer(): ReturnType<typeof rejected> {
  return rejected(
    "overloaded",
    "The host that runs the session did not answer in time; it may still do what was asked. Try again.",
  );
}
