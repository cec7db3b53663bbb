import type { CommandOf, EventDraft, JsonValue } from "@turnwire/protocol";
import { errorText } from "@turnwire/base";
import type {
  NativeEnd,
  RollbackOptions,
  Run,
  RunOptions,
  Runtime,
  TurnInput,
} from "@turnwire/runtime";
import type { Effect } from "../decide/effect.ts";

export interface LiveRunListener {
  /** Takes what one native message became; the agent is read on when this settles. */
  readonly onDrafts: (drafts: readonly EventDraft[]) => Promise<void>;
  /** The agent is gone; `drafts` close what it left open. Called once. */
  readonly onEnd: (end: NativeEnd, drafts: readonly EventDraft[]) => void;
  /** Something failed that no caller waits for. */
  readonly onError: (error: unknown) => void;
}

/** What is done to a live agent; the rest concerns what its provider keeps. */
export type RunEffect = Exclude<Effect, { type: "set_archived" | "steer" }>;

/** An agent at work for one session: its messages become drafts, effects become calls. */
export class LiveRun {
  readonly #runtime: Runtime;
  readonly #run: Run;
  readonly #listener: LiveRunListener;
  /** Settles after `onEnd`. */
  readonly ended: Promise<void>;

  static async start(
    runtime: Runtime,
    options: RunOptions,
    listener: LiveRunListener,
  ): Promise<LiveRun> {
    return new LiveRun(runtime, await runtime.createRun(options), listener);
  }

  private constructor(runtime: Runtime, run: Run, listener: LiveRunListener) {
    this.#runtime = runtime;
    this.#run = run;
    this.#listener = listener;
    this.ended = this.#pump().catch((error: unknown) => listener.onError(error));
  }

  send(input: TurnInput): Promise<void> {
    return this.#run.send(input);
  }

  async steer(input: TurnInput): Promise<void> {
    await this.#run.steer?.(input);
  }

  compact(instructions?: string): Promise<void> {
    return this.#run.compact?.(instructions) ?? Promise.resolve();
  }

  rollback(options: RollbackOptions): Promise<{ filesRestored?: string[] }> {
    return this.#run.rollback?.(options) ?? Promise.resolve({});
  }

  /** Safe to call twice; the end arrives through the listener. */
  close(): Promise<void> {
    return this.#run.close();
  }

  async perform(effect: RunEffect, shared: JsonValue): Promise<void> {
    switch (effect.type) {
      case "interrupt":
        return this.#run.interrupt();
      case "answer":
        return this.#run.answer(effect.answer);
      case "set_model":
        return this.#run.setModel?.(effect.model);
      case "set_effort":
        return this.#run.setEffort?.(effect.effort);
      case "set_permission_mode":
        return this.#run.setPermissionMode?.(effect.mode);
      case "set_grants":
        return this.#run.setGrants?.(effect.permissions);
      case "stop_task":
        return this.#run.stopTask?.(effect.taskId);
      case "read_context":
        return this.#run.readContext?.();
      case "reconnect_mcp_server":
        return this.#run.reconnectMcpServer?.(effect.name);
      case "rename":
        return this.#run.rename?.(effect.title);
      case "component_callback":
        return this.#run.componentCallback?.(effect.callback);
      case "catalog_updated":
        return this.#run.catalogUpdated?.();
      case "shared_state":
        return this.#run.sharedState?.(shared);
      case "close_run":
        return this.#run.close();
    }
  }

  /** What was done in components before this run was there. */
  async deliver(callbacks: readonly CommandOf<"component_callback">[]): Promise<void> {
    try {
      for (const callback of callbacks) await this.#run.componentCallback?.(callback);
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  async #pump(): Promise<void> {
    const { normalizer } = this.#runtime;
    let state = normalizer.initial();
    let end: NativeEnd = { type: "closed" };
    try {
      for await (const message of this.#run.messages) {
        const [next, drafts] = normalizer.step(state, message);
        state = next;
        if (drafts.length > 0) await this.#listener.onDrafts(drafts);
      }
    } catch (error) {
      end = { type: "died", message: errorText(error) };
      // The iterator broke, but the process behind it may still live.
      await this.#run.close();
    }
    this.#listener.onEnd(
      end,
      this.#lastDrafts(() => normalizer.end(state, end)),
    );
  }

  /** Whatever the normalizer does, the end is reported: a slot hangs on it. */
  #lastDrafts(end: () => readonly EventDraft[]): readonly EventDraft[] {
    try {
      return end();
    } catch (error) {
      this.#listener.onError(error);
      return [];
    }
  }
}
