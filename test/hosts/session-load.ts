import { setTimeout as wait } from "node:timers/promises";
import type { SessionEvent } from "@turnwire/protocol";
import { type Follower, followBare, followByLibrary } from "./follower.ts";
import { Progress } from "./progress.ts";
import type { Random } from "./random.ts";
import type { Recorder } from "./recorder.ts";
import type { Door, Sender } from "./sender.ts";
import { sseStream } from "./sse-stream.ts";

export interface LoadOptions {
  readonly sessionId: string;
  readonly recorder: Recorder;
  readonly random: Random;
  readonly sender: Sender;
  readonly token: string;
  readonly doors: readonly Door[];
  /** Leads to some host that answers. */
  readonly balancer: string;
}

/** No host is disturbed while the sessions are created. */
const PATIENCE_MS = 240_000;

/** Words per second of the demo agent: a turn lasts long enough that faults meet it. */
const params = { delay_ms: 25 };

/** A session that people on all hosts use: messages without pause, each request answered on two hosts at once. */
export class SessionLoad {
  readonly sessionId: string;
  readonly progress = new Progress();
  readonly #options: LoadOptions;
  readonly #followers: Follower[] = [];
  #library: ReturnType<typeof followByLibrary> | undefined;
  readonly #stopped = new AbortController();
  readonly #givenUp = new AbortController();
  readonly #work: Promise<void>[] = [];
  readonly #acknowledged: string[] = [];
  #messages = 0;

  constructor(options: LoadOptions) {
    this.sessionId = options.sessionId;
    this.#options = options;
  }

  /** Creates the session on one of the hosts and follows it on all of them, and by the library. */
  async start(home: Door): Promise<void> {
    const { sender, sessionId, doors } = this.#options;
    const body = { session_id: sessionId, params };
    const { status } = await sender.post(home, "/sessions", body, PATIENCE_MS);
    if (status !== 201 && status !== 200) {
      throw new Error(`${home.name} answered ${status} to a new session`);
    }
    for (const [index, door] of doors.entries()) this.#follow(door, index);
    this.#followByLibrary();
    this.#work.push(this.#talk());
  }

  /** No more messages; answers are still given. */
  stopTalking(): void {
    this.#stopped.abort();
  }

  /**
   * Waits until nothing is open and every reader has everything, and records what each place has.
   * What is still missing at the limit is the checker's to report.
   */
  async finish(limit: AbortSignal): Promise<void> {
    limit.addEventListener("abort", () => this.#givenUp.abort());
    await Promise.all(this.#work);
    await this.progress.waitFor(() => this.#isSettled, limit);
    const head = await this.#settledHead(limit);
    await this.#library?.recordState(limit);
    await Promise.all(
      [...this.#followers, ...(this.#library ? [this.#library] : [])].map((one) => one.stop()),
    );
    for (const door of this.#options.doors) await this.#recordLog(door, head, limit);
  }

  /** No reader may have seen yet what has just been acknowledged: a session that looks quiet may be about to work. */
  get #isSettled(): boolean {
    return this.progress.isQuiet && this.#acknowledged.every((id) => this.progress.isDone(id));
  }

  /** The newest seq once all readers have the same and nothing is open any more. */
  async #settledHead(limit: AbortSignal): Promise<number> {
    for (;;) {
      const head = this.progress.seq;
      if (limit.aborted) return head;
      const readers = [...this.#followers, ...(this.#library ? [this.#library] : [])];
      if (this.#isSettled && readers.every(({ seq }) => seq === head)) return head;
      await wait(20);
    }
  }

  #follow(home: Door, index: number): void {
    const { recorder, sessionId, token, doors } = this.#options;
    let turn = index;
    const nextHost = (): Door => doors[turn++ % doors.length] ?? home;
    const client = `bare-${home.name}`;
    const onEvent = (event: SessionEvent): void => this.#onEvent(event);
    this.#followers.push(followBare({ recorder, client, token, sessionId, nextHost, onEvent }));
  }

  #followByLibrary(): void {
    const { recorder, sessionId, token, balancer: url } = this.#options;
    const onEvent = (event: SessionEvent): void => this.#onEvent(event);
    this.#library = followByLibrary({
      recorder,
      client: "library",
      token,
      sessionId,
      url,
      onEvent,
    });
  }

  #onEvent(event: SessionEvent): void {
    const isNew = event.seq === this.progress.seq + 1;
    this.progress.add(event);
    if (isNew && event.type === "permission_request") {
      this.#work.push(this.#answer(event.data.correlation_id));
    }
  }

  async #talk(): Promise<void> {
    const { random, sender, sessionId } = this.#options;
    const { signal } = this.#stopped;
    while (!signal.aborted) {
      const count = random.of([1, 1, 2]);
      const ids = Array.from({ length: count }, () => `${sessionId}-${(this.#messages += 1)}`);
      for (const clientMessageId of ids) {
        const status = await sender.sendUntilTaken(
          () => this.#anyDoor(),
          {
            sessionId,
            input: { kind: "message", clientMessageId },
            path: "message",
            body: {
              message: random.of(["/permission", "/long 2", "/long 3", "/tools"]),
              client_message_id: clientMessageId,
            },
          },
          signal,
        );
        if (status === 202) this.#acknowledged.push(clientMessageId);
      }
      await this.progress.waitFor(() => ids.every((id) => this.progress.isDone(id)), signal);
    }
  }

  /** One says yes and one says no, on two hosts at the same moment, until one of them has decided. */
  async #answer(correlationId: string): Promise<void> {
    const isOpen = (): boolean => this.progress.openRequests.includes(correlationId);
    while (isOpen() && !this.#givenUp.signal.aborted) {
      const first = this.#anyDoor();
      const second = this.#options.doors.find((door) => door !== first) ?? first;
      await Promise.all([
        this.#answerAt(first, correlationId, true),
        this.#answerAt(second, correlationId, false),
      ]);
      const patience = AbortSignal.timeout(1_000);
      await this.progress.waitFor(() => !isOpen(), patience);
    }
  }

  #answerAt(door: Door, correlationId: string, isAllowed: boolean): Promise<number> {
    return this.#options.sender.send(door, {
      sessionId: this.sessionId,
      input: { kind: "answer", correlationId, isAllowed },
      path: "commands",
      body: {
        type: "permission_response",
        correlation_id: correlationId,
        behavior: isAllowed ? "allow" : "deny",
      },
    });
  }

  #anyDoor(): Door {
    return this.#options.random.of(this.#options.doors);
  }

  /** The whole log as this host serves it now, byte by byte. */
  async #recordLog(door: Door, head: number, limit: AbortSignal): Promise<void> {
    const { recorder, sessionId, token } = this.#options;
    const enough = new AbortController();
    const signal = AbortSignal.any([enough.signal, limit]);
    const events: string[] = [];
    try {
      for await (const data of sseStream({ url: door.url, token, sessionId, after: 0, signal })) {
        events.push(data);
        if (events.length === head) break;
      }
    } catch {
      // What it does not have now it does not have: the checker compares.
    }
    enough.abort();
    recorder.add({ type: "final_log", source: door.name, sessionId, events });
  }
}
