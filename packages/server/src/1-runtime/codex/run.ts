import { detach } from "../detach.ts";
import { MessageQueue } from "../message-queue.ts";
import {
  type Answer,
  type RollbackOptions,
  type Run,
  RuntimeError,
  type TurnInput,
} from "../runtime.ts";
import { Asks } from "./asks.ts";
import { killCommands } from "./command-process.ts";
import { inputFrom } from "./input.ts";
import { progressFrom } from "./progress.ts";
import type { RunMessage } from "./run-message.ts";
import { isServerRequestMethod } from "./server-request.ts";
import type { CodexThread } from "./thread.ts";
import type { ThreadMessage, ThreadReader } from "./thread-router.ts";
import { firstTurnFrom, readTurnIndex } from "./turn-index.ts";
import type { TurnSettings } from "./turn-settings.ts";

export interface CodexRunOptions {
  readonly settings: TurnSettings;
  /** Whether the run goes on with a thread that has turns. */
  readonly isResumed: boolean;
  /** Opens the run's thread in the app-server that lives now: the one with this id, or a new one. */
  readonly open: (reader: ThreadReader, resume: string | undefined) => Promise<CodexThread>;
  readonly onClosed: () => void;
}

/** A thread of the app-server attached to a session. It outlives its process when that dies while the agent is idle. */
export class CodexRun implements Run {
  readonly messages = new MessageQueue<unknown>();
  readonly #options: CodexRunOptions;
  readonly #settings: TurnSettings;
  readonly #asks = new Asks();
  /** Codex's ids of the turns that run, by thread: the run's own and its sub-agents'. */
  readonly #turns = new Map<string, string>();
  #thread: Promise<CodexThread>;
  #threadId = "";
  #hasTurns: boolean;
  /** From before a turn is handed over until its end. */
  #isBusy = false;
  /** Whether a person has stopped the running turn. */
  #isStopped = false;
  /** Those who wait for a turn to begin or to end. */
  #waiting: (() => void)[] = [];
  #closing: Promise<void> | undefined;

  private constructor(options: CodexRunOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#hasTurns = options.isResumed;
    this.#thread = Promise.reject(new RuntimeError("not_available", "The thread is not open yet."));
    detach(this.#thread, nobodyWaits);
  }

  /** Opens the thread. Rejects with a RuntimeError. */
  static async start(options: CodexRunOptions, resume: string | undefined): Promise<CodexRun> {
    const run = new CodexRun(options);
    run.#thread = run.#open(resume);
    await run.#thread;
    return run;
  }

  async send(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    const content = inputFrom(input);
    // Codex would take a second turn as words into the first.
    await this.#untilIdle();
    const thread = await this.#thread;
    this.#throwIfGone();
    this.#isBusy = true;
    this.#inject({ method: "turnwire/turn_sent", params: { turn_id: input.turnId } });
    try {
      const params = this.#settings.paramsFor(thread.model);
      const started = { input: content, clientUserMessageId: input.turnId, ...params };
      await thread.call("turn/start", started);
    } catch (error) {
      this.#rest();
      throw error;
    }
  }

  async steer(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    const thread = await this.#thread;
    await thread.call("turn/steer", {
      expectedTurnId: this.#turns.get(thread.id) ?? "",
      input: inputFrom(input),
      clientUserMessageId: `steer:${input.messageId}`,
    });
  }

  async interrupt(): Promise<void> {
    if (!this.#isBusy || this.messages.isEnded) return;
    this.#isStopped = true;
    this.#inject({ method: "turnwire/interrupt_sent", params: {} });
    const thread = await this.#thread;
    // A turn can be stopped only by the name that its beginning tells.
    await this.#until(() => !this.#isBusy || this.#turns.has(thread.id));
    await this.#stopTurns(thread);
  }

  async answer(answer: Answer): Promise<void> {
    const taken = this.#asks.take(answer);
    if (!taken || this.messages.isEnded) return;
    const { id, correlationId, result } = taken;
    this.#inject({ method: "turnwire/answer_sent", params: { correlation_id: correlationId } });
    await (await this.#thread).respond(id, result);
  }

  /** Counts from the next turn on. */
  async setModel(model: string | null): Promise<void> {
    this.#settings.setModel(model);
  }

  /** Counts from the next turn on. */
  async setPermissionMode(mode: string): Promise<void> {
    this.#settings.setMode(mode);
  }

  async stopTask(taskId: string): Promise<void> {
    this.#throwIfGone();
    const thread = await this.#thread;
    await thread.call("thread/backgroundTerminals/terminate", { processId: taskId });
  }

  async compact(): Promise<void> {
    this.#throwIfGone();
    await this.#untilIdle();
    const thread = await this.#thread;
    this.#throwIfGone();
    this.#isBusy = true;
    try {
      await thread.call("thread/compact/start");
    } catch (error) {
      this.#rest();
      throw error;
    }
  }

  async rollback(options: RollbackOptions): Promise<{ filesRestored?: string[] }> {
    this.#throwIfGone();
    if (options.files) {
      throw new RuntimeError("protocol", "Codex cannot restore files. Roll back without them.");
    }
    await this.#untilIdle();
    const thread = await this.#thread;
    if (!this.#hasTurns) return {};
    const index = await readTurnIndex(thread.connection.rpc, thread.id);
    const beforeTurnId = firstTurnFrom(index, options);
    if (beforeTurnId !== undefined) await thread.call("thread/revert", { beforeTurnId });
    return {};
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.messages.end();
    this.#asks.clear();
    this.#isStopped = true;
    const thread = await this.#thread.catch(() => undefined);
    if (thread) {
      await this.#stopTurns(thread).catch(nobodyWaits);
      thread.leave();
    }
    this.#rest();
    this.#options.onClosed();
  }

  async #open(resume: string | undefined): Promise<CodexThread> {
    let thread: CodexThread | undefined;
    const early: ThreadMessage[] = [];
    // What comes with the opening belongs after the word that names the thread.
    const reader: ThreadReader = (message) => {
      if (thread) this.#take(thread, message);
      else early.push(message);
    };
    thread = await this.#options.open(reader, resume);
    this.#threadId = thread.id;
    const { id, model } = thread;
    this.#settings.tellOpened(model, resume !== undefined);
    this.#inject({ method: "turnwire/thread", params: { thread_id: id, model } });
    const capabilities = this.#settings.capabilitiesWith(thread.connection.process.models);
    this.#inject({ method: "turnwire/run_info", params: { capabilities } });
    for (const message of early) this.#take(thread, message);
    const opened = thread;
    detach(
      thread.lost.then((reason) => this.#lose(opened, reason)),
      nobodyWaits,
    );
    return thread;
  }

  /** The process is gone: so is a turn in it; an idle thread goes on in the next process. */
  async #lose(thread: CodexThread, reason: RuntimeError): Promise<void> {
    if (this.messages.isEnded) return;
    this.#asks.clear();
    this.#turns.clear();
    if (this.#isBusy) return this.#die(reason);
    this.#thread = this.#open(this.#hasTurns ? thread.id : undefined);
    try {
      await this.#thread;
      this.#inject({ method: "turnwire/restarted", params: { message: reason.message } });
    } catch (error) {
      await this.#die(error);
    }
  }

  async #die(reason: unknown): Promise<void> {
    this.messages.fail(reason);
    this.#rest();
    await this.close();
  }

  #take(thread: CodexThread, message: ThreadMessage): void {
    this.#observe(thread, message);
    if (this.messages.isEnded) {
      if (message.id !== undefined) this.#refuse(thread, message.id);
      return;
    }
    if (message.id === undefined) return this.messages.push(message);
    if (!isServerRequestMethod(message.method)) {
      this.#refuse(thread, message.id);
      return this.messages.push(message);
    }
    const correlation_id = this.#asks.add({ ...message, id: message.id });
    this.messages.push({ ...message, correlation_id });
    return undefined;
  }

  #observe(thread: CodexThread, message: ThreadMessage): void {
    const progress = progressFrom(message);
    switch (progress.type) {
      case "turn_started":
        this.#turns.set(progress.threadId, progress.turnId);
        if (progress.threadId !== this.#threadId) return;
        this.#hasTurns = true;
        this.#isBusy = true;
        this.#wake();
        break;
      case "turn_ended":
        this.#turns.delete(progress.threadId);
        // A command that was just starting belongs to nobody until its turn has ended.
        if (this.#isStopped) detach(cleanUp(thread, progress.threadId), nobodyWaits);
        if (progress.threadId === this.#threadId) this.#rest();
        break;
      case "request_resolved":
        this.#asks.forget(progress.requestId);
        break;
      case "other":
    }
  }

  /** An interrupt ends turns only; the commands they started go on until they are cleaned up. */
  async #stopTurns(thread: CodexThread): Promise<void> {
    const turns = [...this.#turns];
    const stopped = await Promise.allSettled(
      turns.map(async ([threadId, turnId]) => {
        await thread.call("turn/interrupt", { threadId, turnId });
      }),
    );
    const threads = new Set([thread.id, ...turns.map(([threadId]) => threadId)]);
    if (this.#hasTurns) {
      await Promise.allSettled([...threads].map((threadId) => cleanUp(thread, threadId)));
    }
    // A turn that ended by itself meanwhile cannot be stopped and need not be.
    const own = turns.findIndex(([threadId]) => threadId === thread.id);
    const failure = stopped[own];
    if (failure?.status === "rejected" && this.#turns.has(thread.id)) throw failure.reason;
  }

  #refuse(thread: CodexThread, id: string | number): void {
    detach(thread.refuse(id, "Turnwire has no answer to this."), nobodyWaits);
  }

  #rest(): void {
    this.#isBusy = false;
    this.#isStopped = false;
    this.#wake();
  }

  #wake(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  #untilIdle(): Promise<void> {
    return this.#until(() => !this.#isBusy);
  }

  async #until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #inject(message: RunMessage): void {
    this.messages.push(message);
  }

  #throwIfGone(): void {
    if (this.messages.isEnded) throw new RuntimeError("exited", "The Codex agent is gone.");
  }
}

/** Ends the commands that a thread has left running. */
async function cleanUp(thread: CodexThread, threadId: string): Promise<void> {
  await thread.call("thread/backgroundTerminals/clean", { threadId });
  await killCommands(threadId);
}

/** The end of the messages tells what this would. */
function nobodyWaits(): void {}
