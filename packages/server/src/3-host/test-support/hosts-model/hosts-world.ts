import { defined } from "@turnwire/base";
import { type Command, openRequests, requestId, type Principal } from "@turnwire/protocol";
import { createMemoryStore, type Store } from "@turnwire/log";
import { ManualClock } from "../../../../../base/src/test-support/manual-clock.ts";
import type { OpenSession } from "../../../../../wire/src/open-session.ts";
import { runTurnsToRest } from "../model/event-loop.ts";
import { Journal } from "../model/journal.ts";
import type { ModelReader } from "../model/model-reader.ts";
import { answerTo } from "../model/request-draft.ts";
import { readStoredLogs } from "../model/stored-log.ts";
import type { HostsHistory } from "./hosts-step.ts";
import { ModelHost } from "./model-host.ts";

export const person: Principal = { id: "ann", isAdmin: true };

/** What became of one attempt to hand in a message. */
export type Attempt =
  | { readonly type: "accepted" | "pending"; readonly messageId: string | undefined }
  | { readonly type: "rejected"; readonly code: string }
  /** The host died, or failed, before it answered. */
  | { readonly type: "unknown" };

export interface HostsMessage {
  readonly sessionId: string;
  readonly text: string;
  readonly clientMessageId: string | undefined;
  readonly isSteer?: boolean;
  readonly attempts: Attempt[];
}

/** A reader that comes back to any host that is up. */
interface WanderingReader {
  readonly reader: ModelReader;
  hostIndex: number;
}

/** Several hosts over one store on one clock, with their clients. */
export class HostsWorld {
  readonly wall = new ManualClock();
  readonly disk: Store = createMemoryStore({ clock: this.wall, isShared: true });
  readonly journal = new Journal();
  /** The host of each place; one that died or closed is replaced. */
  readonly hosts: ModelHost[] = [];
  readonly formerHosts: ModelHost[] = [];
  readonly sessionIds: string[] = [];
  readonly messages: HostsMessage[] = [];
  readonly readers: WanderingReader[] = [];
  /** How often an answer to a request was accepted, by its id. */
  readonly acceptedAnswers = new Map<string, number>();
  /** Sessions that somebody asked to delete. */
  readonly deletions = new Set<string>();
  /** The ids of messages that somebody asked to take back. */
  readonly cancellations = new Set<string>();
  /** How often a session was made, by its id. */
  readonly creations = new Map<string, number>();
  readonly pending = new Set<Promise<void>>();
  readonly #history: HostsHistory;
  #chance = 0;

  constructor(history: HostsHistory) {
    this.#history = history;
  }

  async start(): Promise<void> {
    const { hosts, sessions } = this.#history;
    for (let place = 0; place < hosts; place += 1) this.hosts.push(this.#boot(place));
    for (let count = 0; count < sessions; count += 1) {
      const created = await this.hosts[count % hosts]?.host.create(
        { session_id: `session-${count}` },
        person,
      );
      if (created?.ok) this.sessionIds.push(created.value.id);
    }
    await this.run(1);
  }

  run(turns: number): Promise<void> {
    return runTurnsToRest(turns);
  }

  /** Lets time pass for the store and for every host that does not stand still. */
  async advance(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 500) {
      this.wall.step(Math.min(left, 500));
      for (const host of this.upHosts()) await host.advance(Math.min(left, 500));
      await this.run(2);
    }
  }

  send(message: HostsMessage, hostIndex: number): void {
    const attempt = message.attempts.push({ type: "unknown" }) - 1;
    const { text: content, clientMessageId, isSteer = false } = message;
    const command: Command = {
      type: isSteer ? "steer" : "user_message",
      content,
      ...(clientMessageId !== undefined && { client_message_id: clientMessageId }),
    };
    this.track(hostIndex, async (host) => {
      const session = await openOn(host, message.sessionId);
      const result = await session?.execute(command, person);
      if (host.isCrashed || !result) return;
      message.attempts[attempt] = result.ok
        ? {
            type: result.value.isPending ? "pending" : "accepted",
            messageId: result.value.messageId,
          }
        : { type: "rejected", code: result.error.code };
    });
  }

  command(sessionId: string, command: Command, hostIndex: number): void {
    this.track(hostIndex, async (host) => {
      await (await openOn(host, sessionId))?.execute(command, person);
    });
  }

  /** Answers everything that a session asks, at each of these hosts at the same moment. */
  async answerOpen(sessionId: string, hostIndexes: readonly number[]): Promise<void> {
    const logs = await readStoredLogs(this.disk);
    const control = logs.find(({ record }) => record.sessionId === sessionId)?.control;
    for (const request of control ? openRequests(control) : []) {
      const id = requestId(request);
      for (const index of hostIndexes) {
        this.track(index, async (host) => {
          const session = await openOn(host, sessionId);
          const result = await session?.execute(answerTo(request.type, id), person);
          if (!result?.ok || result.value.isPending || host.isCrashed) return;
          this.acceptedAnswers.set(id, (this.acceptedAnswers.get(id) ?? 0) + 1);
        });
      }
    }
  }

  connect(wandering: WanderingReader, isFromStart = false): void {
    this.track(wandering.hostIndex, async (host) => {
      const { reader } = wandering;
      const session = await openOn(host, reader.sessionId);
      if (!session || !host.isUp) return;
      await reader.connect(session, isFromStart).catch(() => reader.cut());
    });
  }

  /** Somebody waits for it, unless the host dies. */
  track(hostIndex: number, work: (host: ModelHost) => Promise<void>): void {
    const host = this.host(hostIndex);
    const tracked = work(host)
      .catch((error: unknown) => void host.errors.push(error))
      .finally(() => this.pending.delete(tracked));
    this.pending.add(tracked);
    const { pending } = this;
    host.onCrash(() => pending.delete(tracked));
  }

  /** The next host comes when this one has left. */
  drain(index: number): void {
    this.track(index, async (host) => {
      if (!(await host.drain()) || host.isCrashed) return;
      this.formerHosts.push(host);
      const place = this.hosts.indexOf(host);
      this.hosts[place] = this.#boot(place);
    });
  }

  async replace(index: number, how: "crash" | "restart"): Promise<void> {
    const host = this.host(index);
    const place = this.hosts.indexOf(host);
    if (how === "crash") host.crash();
    else {
      await host.resume();
      this.track(index, () => host.close());
    }
    for (const wandering of this.readers) {
      if (how === "crash" && this.host(wandering.hostIndex) === host) wandering.reader.cut();
    }
    this.formerHosts.push(host);
    this.hosts[place] = this.#boot(place);
  }

  #boot(place: number): ModelHost {
    const { storages = 1, idleMs, maxSharedRuns } = this.#history;
    return new ModelHost({
      storage: `storage-${place % storages}`,
      ...defined({ idleMs, maxSharedRuns }),
      id: this.journal.word("host"),
      disk: this.disk,
      journal: this.journal,
      now: this.wall.now(),
      random: () => this.#random(),
    });
  }

  #random(): number {
    const { chances } = this.#history;
    const chance = chances[this.#chance % chances.length] ?? 0;
    this.#chance += 1;
    return chance / 100;
  }

  upHosts(): ModelHost[] {
    return [...this.hosts, ...this.formerHosts].filter((host) => !host.isCrashed);
  }

  host(index: number): ModelHost {
    const host = this.hosts[index % this.hosts.length];
    if (!host) throw new Error("there is no host");
    return host;
  }

  sessionId(index: number): string {
    return this.sessionIds[index % this.sessionIds.length] ?? "";
  }
}

/** The session wherever it runs; undefined when the host does not know it. */
export async function openOn(
  { host }: ModelHost,
  sessionId: string,
): Promise<OpenSession | undefined> {
  const opened = await host.openOrRead(sessionId, person);
  return opened.ok ? opened.value : undefined;
}
