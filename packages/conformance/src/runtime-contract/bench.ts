import type { EventData, JsonValue, SessionEvent } from "@turnwire/protocol";
import type { RunOptions, Runtime } from "@turnwire/runtime";
import { afterAll, expect, onTestFinished } from "vitest";
import { RunRecorder } from "./run-recorder.ts";

/** Prompts that make the agent do it; those that are left out, it cannot do on demand. */
export interface RuntimePrompts {
  /** A short answer of a few words. */
  readonly text: string;
  /** An answer long enough to be stopped in the middle. */
  readonly long?: string;
  /** One tool use that asks for permission, and a word after it. */
  readonly permission?: string;
  /** One tool use, where none asks for permission; a runtime with `tool_policy` has this or `permission`. */
  readonly tool?: string;
  /** A question to the person, and a word after it. */
  readonly question?: string;
  /** The agent dies before the turn ends. */
  readonly crash?: string;
}

export interface RuntimeContractOptions {
  readonly prompts: RuntimePrompts;
  /** An input to allow instead of the asked one, and a text that appears only when it was used. */
  readonly edit?: { readonly input: JsonValue; readonly trace: string };
  /** The trace of the tool of `permission` or `tool`: shows that a refused one did not run. */
  readonly effect?: { isThere(): boolean; remove(): void };
  /** It cannot ask the gate about single uses of tools, so it refuses each turn that the policy might. */
  readonly refusesTurns?: boolean;
  /** Whether a closed provider session can be continued by its id. */
  readonly canResume?: boolean;
  readonly run?: Partial<RunOptions>;
}

/** The workbench of each test. */
export interface Bench extends RuntimeContractOptions {
  /** A runtime that is closed with the test. */
  open(): Promise<Runtime>;
  /** A run with its recorder, closed with the test; of a fresh runtime if none is given. */
  start(runtime?: Runtime, options?: Partial<RunOptions>): Promise<RunRecorder>;
  /** For tests that only play turns: starting an agent takes most of a second. Call it in their `describe`. */
  shareRun(options?: Partial<RunOptions>): SharedRun;
}

/** One run that tests use in turn. */
export interface SharedRun {
  /** The run as the last test left it if that was idle, else a new one. */
  idle(): Promise<RunRecorder>;
  close(): Promise<void>;
}

export function createBench(
  create: () => Runtime | Promise<Runtime>,
  options: RuntimeContractOptions,
): Bench {
  async function open(): Promise<Runtime> {
    const runtime = await create();
    onTestFinished(() => runtime.close?.());
    return runtime;
  }
  function startRun(runtime: Runtime, runOptions?: Partial<RunOptions>): Promise<RunRecorder> {
    return RunRecorder.start(runtime, {
      sessionId: "contract",
      cwd: process.cwd(),
      ...options.run,
      ...runOptions,
    });
  }
  return {
    ...options,
    open,
    async start(runtime, runOptions) {
      const recorder = await startRun(runtime ?? (await open()), runOptions);
      onTestFinished(async () => {
        await recorder.run.close();
        expect(recorder.violations).toEqual([]);
      });
      return recorder;
    },
    shareRun(runOptions) {
      let shared: RunRecorder | undefined;
      const close = async (): Promise<void> => {
        const last = shared;
        shared = undefined;
        await last?.run.close();
        await last?.runtime.close?.();
      };
      afterAll(close);
      return {
        async idle() {
          if (shared?.isIdle === false) await close();
          shared ??= await startRun(await create(), runOptions);
          const recorder = shared;
          onTestFinished(() => expect(recorder.violations).toEqual([]));
          return recorder;
        },
        close,
      };
    },
  };
}

/** The text that deltas brought, of one message or of all. */
export function textOf(events: readonly SessionEvent[], messageId?: string): string {
  const deltas = events.filter((event) => event.type === "delta");
  return deltas
    .filter(({ data }) => messageId === undefined || data.message_id === messageId)
    .map(({ data }) => data.text)
    .join("");
}

/** The text of a finished message. */
export function textOfMessage(message: EventData<"message_complete">["message"]): string {
  return message.content
    .map((block) => (block.type === "text" && typeof block.text === "string" ? block.text : ""))
    .join("");
}

/** How a turn ended; fails unless it ended exactly once, with the result right before. */
export function endOf(events: readonly SessionEvent[]) {
  const results = events.filter((event) => event.type === "result");
  const ends = events.filter((event) => event.type === "done");
  expect(results).toHaveLength(1);
  expect(ends).toHaveLength(1);
  const [result] = results;
  const [done] = ends;
  if (!result || !done) throw new Error("A turn ends with a result and a done.");
  expect(result.seq).toBeLessThan(done.seq);
  expect(result.data.turn_id).toBe(done.data.turn_id);
  return {
    turnId: done.data.turn_id,
    subtype: result.data.subtype,
    isError: result.data.is_error,
    isStopped: done.data.stopped === true,
  };
}
