import { detach, ignore, systemClock } from "@turnwire/base";
import { MessageQueue } from "../message-queue.ts";
import {
  type RequestAnswer,
  type RollbackOptions,
  type Run,
  RuntimeError,
  type TurnInput,
} from "../runtime.ts";
import { PendingRequests } from "./pending-requests.ts";
import { inputFrom } from "./input.ts";
import { progressFrom } from "./progress.ts";
import type { RunMessage } from "./run-message.ts";
import { isServerRequestMethod } from "./server-request.ts";
import type { CodexThread } from "./thread.ts";
import type { ThreadMessage, ThreadReader } from "./thread-router.ts";
import { Title } from "./title.ts";
import { firstTurnFrom, readTurnIndex } from "./turn-index.ts";
import type { TurnSettings } from "./turn-settings.ts";
import { endCommands, stopTurns } from "./turn-stop.ts";
import { TurnWatch } from "./turn-watch.ts";

/** How long one session may hold back the process that it shares with others. */
const maxHoldMs = 10_000;

export interface CodexRunOptions {
  readonly settings: TurnSettings;
  readonly title: string | undefined;
  readonly isRequestIdUsed: ((id: string) => boolean) | undefined;
  /** Whether the run resumes a thread that has turns. */
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
  readonly #requests: PendingRequests;
  readonly #turns: TurnWatch;
  readonly #title: Title;
  #thread: Promise<CodexThread>;
  #threadId = "";
  #closing: Promise<void> | undefined;

  private constructor(options: CodexRunOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#requests = new PendingRequests(options.isRequestIdUsed);
    this.#title = new Title(options.title);
    this.#turns = new TurnWatch(options.isResumed);
    this.#thread = Promise.reject(new RuntimeError("not_available", "The thread is not open yet."));
    detach(this.#thread, ignore);
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
    await this.#turns.untilIdle();
    const thread = await this.#thread;
    this.#throwIfGone();
    this.#turns.begin();
    this.#inject({ method: "turnwire/turn_sent", params: { turn_id: input.turnId } });
    try {
      const params = this.#settings.paramsFor(thread.model);
      const started = { input: content, clientUserMessageId: input.turnId, ...params };
      await thread.call("turn/start", started);
    } catch (error) {
      this.#turns.rest();
      throw error;
    }
  }

  async steer(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    const thread = await this.#thread;
    await thread.call("turn/steer", {
      expectedTurnId: this.#turns.turnOf(thread.id) ?? "",
      input: inputFrom(input),
      clientUserMessageId: `steer:${input.messageId}`,
    });
  }

  async interrupt(): Promise<void> {
    if (!this.#turns.isBusy || this.messages.isEnded) return;
    this.#turns.stop();
    this.#inject({ method: "turnwire/interrupt_sent", params: {} });
    const thread = await this.#thread;
    await this.#turns.untilNamed(thread.id);
    await stopTurns(thread, this.#turns);
  }

  async answer(answer: RequestAnswer): Promise<void> {
    const taken = this.#requests.take(answer);
    if (!taken || this.messages.isEnded) return;
    const { id, correlationId, result, threadId } = taken;
    this.#inject({ method: "turnwire/answer_sent", params: { correlation_id: correlationId } });
    const thread = await this.#thread;
    const reason = reasonOf(answer);
    if (reason !== undefined) await this.#giveReason(thread, threadId ?? thread.id, reason);
    await thread.respond(id, result);
  }

  /**
   * Codex 0.166.0 takes no reason with a denial: it goes into the waiting turn as words of the
   * person, before the answer, so that the model reads both at once.
   */
  async #giveReason(thread: CodexThread, threadId: string, reason: string): Promise<void> {
    const expectedTurnId = this.#turns.turnOf(threadId);
    if (expectedTurnId === undefined) return;
    const input = inputFrom({ content: [{ type: "text", text: `I declined that: ${reason}` }] });
    // The denial counts, also where its reason is not heard.
    await thread.call("turn/steer", { threadId, expectedTurnId, input }).catch(ignore);
  }

  /** Counts from the next turn on. */
  async setEffort(effort: string | null): Promise<void> {
    this.#settings.setEffort(effort);
  }

  async setModel(model: string | null): Promise<void> {
    this.#settings.setModel(model);
  }

  /** Counts from the next turn on. */
  async setPermissionMode(mode: string): Promise<void> {
    this.#settings.setMode(mode);
    // Wished for while the thread was opened, it is older in the log than the word of that.
    this.#inject({ method: "turnwire/permission_mode", params: { mode } });
  }

  async stopTask(taskId: string): Promise<void> {
    this.#throwIfGone();
    const thread = await this.#thread;
    await thread.call("thread/backgroundTerminals/terminate", { processId: taskId });
  }

  async rename(title: string): Promise<void> {
    this.#title.set(title);
    await this.#passTitle(await this.#thread);
  }

  async compact(): Promise<void> {
    this.#throwIfGone();
    await this.#turns.untilIdle();
    const thread = await this.#thread;
    this.#throwIfGone();
    this.#turns.begin();
    try {
      await thread.call("thread/compact/start");
    } catch (error) {
      this.#turns.rest();
      throw error;
    }
  }

  async rollback(options: RollbackOptions): Promise<{ filesRestored?: string[] }> {
    this.#throwIfGone();
    await this.#turns.untilIdle();
    const thread = await this.#thread;
    if (!this.#turns.hasAny) return {};
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
    this.#requests.clear();
    this.#turns.stop();
    const thread = await this.#thread.catch(() => undefined);
    if (thread) {
      await stopTurns(thread, this.#turns).catch(ignore);
      thread.leave();
    }
    this.#turns.rest();
    this.#options.onClosed();
  }

  async #open(resume: string | undefined): Promise<CodexThread> {
    let thread: CodexThread | undefined;
    const early: ThreadMessage[] = [];
    // What comes with the opening belongs after the word that names the thread.
    const reader: ThreadReader = (message) => {
      if (!thread) {
        early.push(message);
        return;
      }
      this.#take(thread, message);
      if (this.messages.isFull) return this.#holdBack();
    };
    thread = await this.#options.open(reader, resume);
    this.#threadId = thread.id;
    const { id, model } = thread;
    this.#settings.tellOpened(model, resume !== undefined);
    this.#inject({ method: "turnwire/thread", params: { thread_id: id, model } });
    const capabilities = this.#settings.capabilitiesWith(thread.connection.process.models);
    this.#inject({ method: "turnwire/run_info", params: { capabilities } });
    const mode = this.#settings.unnamedMode;
    if (mode !== undefined) this.#inject({ method: "turnwire/permission_mode", params: { mode } });
    for (const message of early) this.#take(thread, message);
    const opened = thread;
    this.#title.opened(thread.called);
    // The conversation needs no name.
    detach(this.#passTitle(opened), ignore);
    detach(
      thread.lost.then((reason) => this.#lose(opened, reason)),
      ignore,
    );
    return thread;
  }

  /** The process is gone: so is a turn in it; an idle thread continues in the next process. */
  async #lose(thread: CodexThread, reason: RuntimeError): Promise<void> {
    if (this.messages.isEnded) return;
    this.#requests.clear();
    this.#turns.forgetAll();
    if (this.#turns.isBusy) return this.#die(reason);
    this.#thread = this.#open(this.#turns.hasAny ? thread.id : undefined);
    try {
      await this.#thread;
      this.#inject({ method: "turnwire/restarted", params: { message: reason.message } });
    } catch (error) {
      await this.#die(error);
    }
  }

  async #die(reason: unknown): Promise<void> {
    this.messages.fail(reason);
    this.#turns.rest();
    await this.close();
  }

  #take(thread: CodexThread, message: ThreadMessage): void {
    this.#observe(thread, message);
    if (this.messages.isEnded) {
      if (message.id !== undefined) this.#refuse(thread, message.id);
      return;
    }
    if (message.id === undefined) {
      if (!this.#title.isEcho(message)) this.messages.push(message);
      return;
    }
    if (!isServerRequestMethod(message.method)) {
      this.#refuse(thread, message.id);
      this.messages.push(message);
      return;
    }
    const correlation_id = this.#requests.add({ ...message, id: message.id });
    this.messages.push({ ...message, correlation_id });
  }

  /**
   * A slow store holds back the process, and with it the threads of all other sessions, which most
   * likely wait for the same store. One that still has no room after a while is given up for them.
   */
  async #holdBack(): Promise<void> {
    const stop = new AbortController();
    await Promise.race([this.messages.room(), systemClock.wait(maxHoldMs, stop.signal)]);
    stop.abort();
    if (!this.messages.isFull) return;
    const seconds = maxHoldMs / 1000;
    const why = `The session could not store what Codex said for ${seconds} s, so it was stopped.`;
    detach(this.#die(new RuntimeError("stalled", why)), ignore);
  }

  #observe(thread: CodexThread, message: ThreadMessage): void {
    const progress = progressFrom(message);
    switch (progress.type) {
      case "turn_started":
        if (progress.threadId === this.#threadId) this.#turns.begin();
        this.#turns.started(progress.threadId, progress.turnId);
        break;
      case "turn_ended":
        this.#turns.ended(progress.threadId);
        // A command that was just starting belongs to no turn until its turn has ended.
        if (this.#turns.isStopped) detach(endCommands(thread, progress.threadId), ignore);
        if (progress.threadId === this.#threadId) this.#turns.rest();
        break;
      case "request_resolved":
        this.#requests.forget(progress.requestId);
        break;
      case "other":
    }
  }

  #refuse(thread: CodexThread, id: string | number): void {
    detach(thread.refuse(id, "Turnwire has no answer to this."), ignore);
  }

  async #passTitle(thread: CodexThread): Promise<void> {
    await this.#title.pass((name) => thread.call("thread/name/set", { name }));
  }

  #inject(message: RunMessage): void {
    this.messages.push(message);
  }

  #throwIfGone(): void {
    if (this.messages.isEnded) throw new RuntimeError("exited", "The Codex agent is gone.");
  }
}

/** Why a person said no; a turn that stops with it needs no reason. */
function reasonOf(answer: RequestAnswer): string | undefined {
  if (answer.type !== "permission_response" || answer.behavior !== "deny") return undefined;
  return answer.interrupt === true ? undefined : answer.message || undefined;
}
