import { type Command, rejected, type Result, type Principal } from "@turnwire/protocol";
import type { Store } from "@turnwire/log";
import type { Accepted } from "../../../../../wire/src/open-session.ts";
import type { Session } from "../../../2-session/session.ts";
import { ClientLedger, type SentMessage } from "./client-ledger.ts";
import { runTurns } from "./event-loop.ts";
import { Journal } from "./journal.ts";
import type { ModelReader } from "./model-reader.ts";
import { ServerProcess } from "./server-process.ts";
import type { History } from "./step.ts";

export const principals: readonly [Principal, Principal] = [
  { id: "ann", isAdmin: true },
  { id: "bob", isAdmin: true },
];

/** Someone who may not loosen a policy. */
export const guest: Principal = { id: "guest", isAdmin: false };

/** Everything a history acts on: a disk, the server process of the moment, its clients and their readers. */
export class World {
  readonly disk: Store;
  readonly journal = new Journal();
  readonly ledger = new ClientLedger();
  readonly readers: ModelReader[] = [];
  /** Ids of sessions that clients know of. */
  readonly sessionIds: string[] = [];
  /** All server processes so far; the last one lives. */
  readonly processes: ServerProcess[] = [];
  process: ServerProcess;
  /** Commands on their way, each with what it is and the process that works at it. */
  readonly pending = new Map<symbol, { readonly what: string; readonly process: ServerProcess }>();
  /** How many commands clients gave. */
  commands = 0;
  readonly #settings: Pick<History, "maxLiveRuns" | "retainEvents">;
  readonly #held = new Map<string, Session>();

  constructor(disk: Store, settings: Pick<History, "maxLiveRuns" | "retainEvents">) {
    this.disk = disk;
    this.#settings = settings;
    this.process = this.boot();
  }

  async run(turns: number): Promise<void> {
    await runTurns(turns, () =>
      this.processes.some(({ isCrashed, store }) => !isCrashed && store.busy > 0),
    );
  }

  create(): void {
    this.track("create", async (process) => {
      const created = await process.host.create({}, principals[0]);
      if (created.ok) this.sessionIds.push(created.value.id);
    });
  }

  /** Sends a message, for the first time or again. */
  send(message: SentMessage, isHeld = false): void {
    const attempt = message.answers.push({ type: "unknown" }) - 1;
    const { text: content, clientMessageId, delivery, isUnattended, sessionId } = message;
    const command: Command = {
      type: "user_message",
      content,
      ...(clientMessageId !== undefined && { client_message_id: clientMessageId }),
      ...(delivery !== undefined && { delivery }),
      ...(isUnattended && { is_unattended: true }),
    };
    this.track(`message ${content}`, async (process) => {
      const result = await this.execute(process, sessionId, command, { isHeld });
      if (process.isCrashed) return;
      message.answers[attempt] = result.ok
        ? {
            type: "accepted",
            messageId: result.value.messageId ?? "",
            isDuplicate: result.value.duplicate === true,
          }
        : { type: "rejected", code: result.error.code };
    });
  }

  /** Any other command; `onAccepted` runs when a client was answered that it was taken. */
  command(sessionId: string, command: Command, onAccepted?: (value: Accepted) => void): void {
    this.track(command.type, async (process) => {
      const result = await this.execute(process, sessionId, command);
      if (result.ok && !process.isCrashed) onAccepted?.(result.value);
    });
  }

  async execute(
    process: ServerProcess,
    sessionId: string,
    command: Command,
    { isHeld = false, by = principals[0] } = {},
  ): Promise<Result<Accepted>> {
    const held = isHeld ? this.#held.get(sessionId) : undefined;
    const opened = held ?? (await this.open(process, sessionId));
    if (!opened) return rejected("session_not_found", "not opened");
    return opened.execute(command, by);
  }

  async open(process: ServerProcess, sessionId: string): Promise<Session | undefined> {
    const opened = await process.host.open(sessionId, principals[0]);
    if (!opened.ok) return undefined;
    this.#held.set(sessionId, opened.value);
    return opened.value;
  }

  connect(reader: ModelReader, isFromStart = false): void {
    this.track("read", async (process) => {
      const session = await this.open(process, reader.sessionId);
      if (!session || process.isCrashed) return;
      try {
        await reader.connect(session, isFromStart);
      } catch (error) {
        // The log could not be read: the connection ends, and the client comes back.
        reader.cut();
        throw error;
      }
    });
  }

  /** Closes the server, then starts another one on the same disk. */
  restart(): void {
    if (this.process.isClosing) return;
    this.track("restart", async (process) => {
      await process.close();
      if (this.process === process) this.boot();
    });
  }

  /** The server is gone in the middle of everything; another one starts on the same disk. */
  async crash(): Promise<void> {
    const { process } = this;
    await process.crash();
    for (const [key, pending] of this.pending) {
      if (pending.process === process) this.pending.delete(key);
    }
    for (const reader of this.readers) reader.cut();
    this.boot();
  }

  /** Lets work run that somebody waits for; a crash of its process forgets it. */
  track(what: string, work: (process: ServerProcess) => Promise<void>): void {
    const { process } = this;
    const key = Symbol(what);
    this.pending.set(key, { what, process });
    this.commands += 1;
    work(process)
      .catch((error: unknown) => process.thrown.push(error))
      .finally(() => this.pending.delete(key));
  }

  /** Another server process on the same disk. */
  boot(): ServerProcess {
    const process = new ServerProcess({
      disk: this.disk,
      journal: this.journal,
      now: this.processes.at(-1)?.clock.now() ?? Date.parse("2026-01-01T00:00:00.000Z"),
      settings: this.#settings,
    });
    this.#held.clear();
    this.processes.push(process);
    this.process = process;
    this.track("recover", () => process.host.recover());
    return process;
  }
}
