import { systemClock } from "@turnwire/base";
import * as z from "zod";
import { type ForkSource, type Run, type RunOptions, RuntimeError } from "@turnwire/runtime";
import { CatalogMemory, UiNews, unknownUi } from "@turnwire/runtime/ui-tool";
import { AppServer, type Connection } from "./app-server.ts";
import { defaultAgentConfig } from "../setting/default-agent.ts";
import { gateConfig } from "../gate/gate-config.ts";
import { RequestGate } from "../gate/request-gate.ts";
import { projectConfig } from "../setting/project-config.ts";
import { threadProblem } from "./missing-thread.ts";
import type { CodexOptions } from "../setting/options.ts";
import { CodexRun } from "./run.ts";
import { CodexThread, type ThreadStart } from "./thread.ts";
import type { ThreadReader } from "../protocol/thread-router.ts";
import { firstTurnFrom, readTurnIndex } from "./turn-index.ts";
import { TurnSettings } from "../setting/turn-settings.ts";

const Forked = z.object({ thread: z.object({ id: z.string() }) });

/** How long Codex may take to unload a thread that has no follower any more. */
const unloadMs = 15_000;

/** The runs of one runtime, and what they share: the app-server and its home. */
export class CodexRuns {
  readonly #options: CodexOptions;
  readonly #server: AppServer;
  /** Threads that a run holds: two runs on one would take each other's turns. */
  readonly #held = new Set<string>();

  /** Threads that the app-server has loaded: it is their only writer until it unloads them. */
  readonly #loaded = new Set<string>();

  readonly #known = new CatalogMemory();

  /** Those who wait until a thread is unloaded. */
  readonly #unloading = new Map<string, () => void>();

  constructor(options: CodexOptions) {
    this.#options = options;
    this.#server = new AppServer(options, {
      onUnloaded: (threadId) => this.#unload(threadId),
      onExit: () => [...this.#loaded].forEach((threadId) => this.#unload(threadId)),
    });
  }

  async createRun(run: RunOptions): Promise<Run> {
    const settings = new TurnSettings(run, this.#options.model);
    const { resume } = run;
    const claim = this.#claimThread(resume);
    let isFirst = true;
    const open = async (reader: ThreadReader, threadId: string | undefined) => {
      const connection = isFirst ? await this.#server.connect() : await this.#server.reconnect();
      isFirst = false;
      const { policy, model, isGated } = settings;
      const agents = await defaultAgentConfig(this.#options, run);
      const start = { run, policy, isGated, model, agents, resume: threadId, reader };
      const thread = await this.#openThread(connection, start).catch(async (error: unknown) => {
        const problem = await threadProblem(error, threadId, this.#options);
        const isGone = problem instanceof RuntimeError && problem.code === "conversation_missing";
        if (!isGone || !run.conversation) throw problem;
        return this.#openThread(connection, { ...start, resume: undefined });
      });
      claim.hold(thread.id);
      this.#loaded.add(thread.id);
      return thread;
    };
    const isResumed = resume !== undefined;
    try {
      const { title, isRequestIdUsed, conversation } = run;
      const gate = run.gate && new RequestGate(run.gate, run.cwd);
      const release = (thread: CodexThread) => this.#release(thread, run, settings);
      const news = new UiNews(run.ui ?? unknownUi, this.#known.of(run.sessionId));
      const parts = { settings, gate, title, isRequestIdUsed, news, isResumed, open, release };
      return await CodexRun.start({ ...parts, conversation, onClosed: claim.leave }, resume);
    } catch (error) {
      claim.leave();
      throw error;
    }
  }

  /** Copies a thread up to and with a turn. */
  async fork({ providerSessionId, turnIds, turns, cwd }: ForkSource) {
    const { rpc } = await this.#server.connect();
    try {
      const index = await readTurnIndex(rpc, providerSessionId);
      const beforeTurnId = firstTurnFrom(index, { turnIds, turnIndex: turns });
      // The copy is opened for its turns only: whoever continues it says what is trusted.
      const config = await projectConfig({ cwd });
      const params = { threadId: providerSessionId, excludeTurns: true, config };
      const cut = beforeTurnId === undefined ? {} : { beforeTurnId };
      const forked = Forked.parse(await rpc.call("thread/fork", { ...params, ...cut }));
      this.#loaded.add(forked.thread.id);
      await rpc.call("thread/unsubscribe", { threadId: forked.thread.id });
      return { providerSessionId: forked.thread.id };
    } catch (cause) {
      if (cause instanceof RuntimeError) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      const problem = `Codex could not copy the session: ${why}`;
      const refused = new RuntimeError("resume_failed", problem, { cause });
      throw await threadProblem(refused, providerSessionId, this.#options);
    }
  }

  /** The app-server of these runs, for what concerns no run. */
  connect(): Promise<Connection> {
    return this.#server.connect();
  }

  /** Whether another process may write to the thread. */
  isFree(threadId: string): boolean {
    return !this.#loaded.has(threadId);
  }

  async setArchived(threadId: string, isArchived: boolean): Promise<void> {
    // Codex would take it away from the other session that has it.
    if (this.#held.has(threadId)) return;
    const { rpc } = await this.#server.connect();
    const word = isArchived ? "archive" : "unarchive";
    try {
      await rpc.call(`thread/${word}`, { threadId });
    } catch (cause) {
      throw new RuntimeError("protocol", `Codex could not ${word} the thread ${threadId}.`, {
        cause,
      });
    }
  }

  close(): Promise<void> {
    return this.#server.close();
  }

  /** Has Codex unload a thread, which takes other settings only when it is loaded again. Rejects with a RuntimeError. */
  async #release(thread: CodexThread, run: RunOptions, settings: TurnSettings): Promise<void> {
    // Where it could not be opened again it stays.
    if (settings.isGated) await gateConfig(thread.connection.rpc, run);
    const stop = new AbortController();
    const unloaded = new Promise<void>((resolve) => this.#unloading.set(thread.id, resolve));
    thread.leave();
    await Promise.race([unloaded, systemClock.wait(unloadMs, stop.signal)]);
    stop.abort();
    this.#unloading.delete(thread.id);
    if (!this.#loaded.has(thread.id)) return;
    const why = "Codex did not unload the thread, so its policy mode could not be changed.";
    throw new RuntimeError("stalled", `${why} Try again.`);
  }

  #unload(threadId: string): void {
    this.#loaded.delete(threadId);
    this.#unloading.get(threadId)?.();
  }

  async #openThread(connection: Connection, start: ThreadStart): Promise<CodexThread> {
    try {
      return await CodexThread.open(connection, start);
    } catch (error) {
      if (!(error instanceof RuntimeError) || error.code !== "exited") throw error;
      // It had died before anybody noticed, so nothing is lost by asking the next one.
      await connection.rpc.closed;
      return CodexThread.open(await this.#server.reconnect(), start);
    }
  }

  /** A run's claim on its thread. Rejects an id that another run holds. */
  #claimThread(resume: string | undefined): {
    hold: (threadId: string) => void;
    leave: () => void;
  } {
    const own = new Set<string>();
    if (resume !== undefined && this.#held.has(resume)) {
      throw new RuntimeError(
        "resume_failed",
        `Another session writes to the Codex thread ${resume}. Close it first.`,
      );
    }
    const hold = (threadId: string): void => {
      own.add(threadId);
      this.#held.add(threadId);
    };
    if (resume !== undefined) hold(resume);
    return {
      hold,
      leave: () => {
        for (const threadId of own) this.#held.delete(threadId);
      },
    };
  }
}
