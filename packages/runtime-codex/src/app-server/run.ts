import { detach, ignore, systemClock } from "@turnwire/base";
import type { CommandOf, ReviewTarget } from "@turnwire/protocol";
import { MessageQueue } from "@turnwire/runtime/process";
import {
  type RequestAnswer,
  retellConversation,
  type RetoldConversation,
  type RollbackOptions,
  type Run,
  type RunOptions,
  type TurnInput,
  RuntimeError,
} from "@turnwire/runtime";
import { callbackText, type UiNews } from "@turnwire/runtime/ui-tool";
import { inputFrom, textInput } from "./input.ts";
import { progressFrom } from "./progress.ts";
import type { RunMessage } from "../protocol/run-message.ts";
import type { CodexThread } from "./thread.ts";
import type { RequestGate } from "../gate/request-gate.ts";
import { ThreadRequests } from "./thread-requests.ts";
import type { ThreadMessage, ThreadReader } from "../protocol/thread-router.ts";
import { Title } from "./title.ts";
import { firstTurnFrom, readTurnIndex } from "./turn-index.ts";
import type { TurnSettings } from "../setting/turn-settings.ts";
import { endCommands, stopTurns } from "./turn-stop.ts";
import { TurnWatch } from "./turn-watch.ts";

/** How long one session may hold back the process that it shares with others. */
const maxHoldMs = 10_000;

export interface CodexRunOptions {
  readonly settings: TurnSettings;
  readonly gate: RequestGate | undefined;
  readonly title: string | undefined;
  readonly isRequestIdUsed: ((id: string) => boolean) | undefined;
  /** The session's UI, and what the agent knows of it. */
  readonly news: UiNews;
  /** What was said in the session, for a thread that has no record of it. */
  readonly conversation: RunOptions["conversation"];
  /** Whether the run resumes a thread that has turns. */
  readonly isResumed: boolean;
  /** Opens the run's thread in the app-server that lives now: the one with this id, or a new one. */
  readonly open: (reader: ThreadReader, resume: string | undefined) => Promise<CodexThread>;
  /** Gives the thread back, so that it can be opened with other settings. */
  readonly release: (thread: CodexThread) => Promise<void>;
  readonly onClosed: () => void;
}

/** A thread of the app-server attached to a session. It outlives its process when that dies while the agent is idle. */
export class CodexRun implements Run {
  readonly messages = new MessageQueue<unknown>();
  readonly #options: CodexRunOptions;
  readonly #settings: TurnSettings;
  readonly #requests: ThreadRequests;
  readonly #turns: TurnWatch;
  readonly #title: Title;
  #thread: Promise<CodexThread>;
  #threadId = "";
  /** Whether the thread has no turn of the session: what was said before it has to be retold. */
  #isEmpty = false;
  #opened: CodexThread | undefined;
  #closing: Promise<void> | undefined;

  private constructor(options: CodexRunOptions) {
    this.#options = options;
    this.#settings = options.settings;
    this.#title = new Title(options.title);
    this.#turns = new TurnWatch(options.isResumed);
    this.#requests = new ThreadRequests({
      ...options,
      turns: this.#turns,
      push: (message) => this.messages.push(message),
      taken: () => this.messages.taken(),
    });
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
    const said = inputFrom(input);
    // Codex would take a second turn as words into the first.
    await this.#turns.untilIdle();
    const thread = await this.#gatedThread();
    this.#throwIfGone();
    if (input.review) return this.#review(thread, input.turnId, input.review);
    const retold = await this.#retold();
    this.#throwIfGone();
    const news = [...(retold ? [retold.text] : []), ...this.#options.news.take()];
    const content = [...news.map(textInput), ...said];
    this.#turns.begin();
    const { outputSchema } = this.#settings;
    this.#inject({
      method: "turnwire/turn_sent",
      params: { turn_id: input.turnId, ...(outputSchema && { has_schema: true }) },
    });
    if (retold) this.#warn(thread, retold.notice);
    try {
      const params = this.#settings.paramsFor(thread.model);
      const started = {
        input: content,
        clientUserMessageId: input.turnId,
        outputSchema,
        ...params,
      };
      await thread.call("turn/start", started);
      this.#isEmpty = false;
    } catch (error) {
      this.#turns.rest();
      throw error;
    }
  }

  /** Codex's reviewer has a context of its own: what was said before is none of its business. */
  async #review(thread: CodexThread, turnId: string, target: ReviewTarget): Promise<void> {
    if (this.#settings.isGated) {
      const why = "A review asks about nothing, so the policy mode cannot hold it.";
      throw new RuntimeError("not_available", why);
    }
    await thread.call("thread/settings/update", this.#settings.reviewParams(thread.model));
    this.#isEmpty &&= (await this.#retold()) !== undefined;
    this.#throwIfGone();
    this.#turns.begin();
    this.#inject({ method: "turnwire/turn_sent", params: { turn_id: turnId } });
    try {
      await thread.call("review/start", { target: nativeTarget(target) });
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
    if (!this.messages.isEnded) await this.#requests.answer(answer, this.#thread);
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
    this.#isEmpty = beforeTurnId !== undefined && beforeTurnId === index[0]?.id;
    this.#options.news.forgetConversation();
    return {};
  }

  /** It joins the turn that runs; without one it waits for the next, because no turn was asked for. */
  async componentCallback(callback: CommandOf<"component_callback">): Promise<void> {
    this.#throwIfGone();
    const text = callbackText(callback);
    const thread = await this.#thread;
    const expectedTurnId = this.#turns.turnOf(thread.id);
    const isHeard =
      expectedTurnId !== undefined &&
      (await thread.call("turn/steer", { expectedTurnId, input: [textInput(text)] }).then(
        () => true,
        () => false,
      ));
    if (!isHeard) this.#options.news.add(text);
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

  /** The thread as the policy mode needs it: some of its settings are read only when it is opened. */
  async #gatedThread(): Promise<CodexThread> {
    const thread = await this.#thread;
    if (thread.isGated === this.#settings.isGated) return thread;
    const { hasAny } = this.#turns;
    if (hasAny) await this.#options.release(thread);
    else thread.leave();
    this.#thread = this.#open(hasAny ? thread.id : undefined);
    return this.#thread;
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
    if (thread.id !== resume) {
      this.#isEmpty = true;
      this.#turns.startOver();
    }
    this.#opened = thread;
    const { id, model } = thread;
    this.#settings.tellOpened(model, resume !== undefined);
    this.#inject({ method: "turnwire/thread", params: { thread_id: id, model } });
    const { models, account } = thread.connection.process;
    const capabilities = this.#settings.capabilitiesWith(models, thread.tools);
    if (thread.tools.knowsCatalog) this.#options.news.markCatalogSent();
    this.#inject({ method: "turnwire/run_info", params: { capabilities } });
    detach(
      account.then((known) => {
        if (!known || this.messages.isEnded) return;
        this.#inject({ method: "turnwire/account", params: { account: known } });
      }),
      ignore,
    );
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
    // A thread that was opened again is watched twice.
    if (this.messages.isEnded || thread !== this.#opened) return;
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
    this.#stopUnheld(thread);
    if (message.id === undefined) {
      const isHeard = !this.messages.isEnded && !this.#title.isEcho(message);
      if (isHeard) this.messages.push(message);
      return;
    }
    const request = { ...message, id: message.id };
    if (this.messages.isEnded) this.#requests.refuse(thread, request);
    else this.#requests.take(thread, request);
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

  /** Codex 0.166.0 takes no other settings for a running turn: one that began without a policy mode ends under it. */
  #stopUnheld(thread: CodexThread): void {
    const isHeld = thread.isGated || !this.#settings.isGated;
    if (isHeld || !this.#turns.isBusy || this.#turns.isStopped || this.messages.isEnded) return;
    this.#warn(
      thread,
      "The turn was stopped: a policy mode was chosen, which holds from the next.",
    );
    detach(this.interrupt(), ignore);
  }

  #observe(thread: CodexThread, message: ThreadMessage): void {
    this.#requests.observe(message);
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

  async #passTitle(thread: CodexThread): Promise<void> {
    await this.#title.pass((name) => thread.call("thread/name/set", { name }));
  }

  async #retold(): Promise<RetoldConversation | undefined> {
    return this.#isEmpty
      ? retellConversation((await this.#options.conversation?.()) ?? [])
      : undefined;
  }

  #warn(thread: CodexThread, message: string): void {
    this.messages.push({ method: "warning", params: { threadId: thread.id, message } });
  }

  #inject(message: RunMessage): void {
    this.messages.push(message);
  }

  #throwIfGone(): void {
    if (this.messages.isEnded) throw new RuntimeError("exited", "The Codex agent is gone.");
  }
}

function nativeTarget(target: ReviewTarget): object {
  switch (target.type) {
    case "uncommitted_changes":
      return { type: "uncommittedChanges" };
    case "base_branch":
      return { type: "baseBranch", branch: target.branch };
    case "commit":
      return { type: "commit", sha: target.commit };
    case "instructions":
      return { type: "custom", instructions: target.text };
  }
}
