import * as z from "zod";
import { detach, ignore } from "@turnwire/base";
import { MessageQueue } from "@turnwire/runtime/process";
import { type RetoldConversation, type Run, type TurnInput, RuntimeError } from "@turnwire/runtime";
import type { SandboxMode } from "../setting/policy.ts";
import type { ExecSettings } from "./settings.ts";
import type { ExecTurn, TurnProcess } from "./turn-process.ts";

export interface ExecRunOptions {
  readonly settings: ExecSettings;
  readonly resume: string | undefined;
  /** The conversation so far, where Codex has no record of it. */
  readonly retold: RetoldConversation | undefined;
  readonly startTurn: (turn: ExecTurn) => Promise<TurnProcess>;
  readonly onClosed: () => void;
}

const ThreadStarted = z.object({ type: z.literal("thread.started"), thread_id: z.string() });
const TurnEnded = z.object({ type: z.enum(["turn.completed", "turn.failed"]) });

interface RunningTurn {
  readonly sandbox: SandboxMode;
  process: TurnProcess | undefined;
  isStopped: boolean;
}

/** A Codex thread attached to a session, with a process for each turn. */
export class ExecRun implements Run {
  readonly messages = new MessageQueue<unknown>();
  readonly #options: ExecRunOptions;
  #threadId: string | undefined;
  /** The turn that runs; from before its process starts until its end was said. */
  #turn: RunningTurn | undefined;
  #retold: RetoldConversation | undefined;
  /** Resolves when no process of an earlier turn is left: a thread has one writer. */
  #settled: Promise<unknown> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(options: ExecRunOptions) {
    this.#options = options;
    this.#threadId = options.resume;
    this.#retold = options.retold;
  }

  async send(input: TurnInput): Promise<void> {
    this.#throwIfGone();
    const retold = this.#retold;
    const prompt = [...(retold ? [retold.text] : []), promptFrom(input)].join("\n\n");
    await this.#settled;
    this.#throwIfGone();
    const started = await this.#options.settings.turnFor(prompt, this.#threadId);
    this.#throwIfGone();
    const turn: RunningTurn = { sandbox: started.sandbox, process: undefined, isStopped: false };
    this.#turn = turn;
    const is_first = this.#threadId === undefined;
    this.messages.push({ type: "turnwire/turn_sent", turn_id: input.turnId, is_first });
    if (retold) this.messages.push({ type: "turnwire/warning", message: retold.notice });
    const process = await this.#options.startTurn(started);
    this.#retold = undefined;
    turn.process = process;
    this.#settled = this.#follow(process, turn);
    detach(this.#settled, ignore);
    if (turn.isStopped || this.#closing) await process.stop();
  }

  async interrupt(): Promise<void> {
    const turn = this.#turn;
    if (!turn || turn.isStopped || this.messages.isEnded) return;
    turn.isStopped = true;
    await turn.process?.stop();
  }

  /** Nothing is ever asked. */
  async answer(): Promise<void> {}

  async setEffort(effort: string | null): Promise<void> {
    this.#options.settings.setEffort(effort);
  }

  async setModel(model: string | null): Promise<void> {
    this.#options.settings.setModel(model);
  }

  async setPermissionMode(mode: string): Promise<void> {
    this.#options.settings.setMode(mode);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.messages.end();
    await this.#turn?.process?.stop();
    await this.#settled.catch(ignore);
    this.#options.onClosed();
  }

  async #follow(process: TurnProcess, turn: RunningTurn): Promise<void> {
    let ending: unknown;
    for await (const message of process.messages()) {
      this.#threadId = ThreadStarted.safeParse(message).data?.thread_id ?? this.#threadId;
      if (TurnEnded.safeParse(message).success) {
        ending = message;
        continue;
      }
      this.messages.push(message);
      if (!(await this.#options.settings.isHeldBy(turn.sandbox))) await this.#stopUnheld(turn);
      await this.messages.room();
    }
    const exit_code = await process.gone();
    this.#turn = undefined;
    if (ending !== undefined) {
      if (exit_code !== undefined) this.messages.push({ type: "turnwire/exited", exit_code });
      this.messages.push(ending);
    } else if (turn.isStopped) this.messages.push({ type: "turnwire/interrupted" });
    else if (!this.#closing) await this.#die(await process.ending());
  }

  /** A running process keeps the sandbox that it was started with: under a stricter policy mode it ends. */
  async #stopUnheld(turn: RunningTurn): Promise<void> {
    if (turn.isStopped) return;
    const message = "The turn was stopped: the policy mode was changed, and it could not be held.";
    this.messages.push({ type: "turnwire/warning", message });
    await this.interrupt();
  }

  async #die(reason: RuntimeError): Promise<void> {
    this.messages.fail(reason);
    this.#options.onClosed();
  }

  #throwIfGone(): void {
    if (this.messages.isEnded) throw new RuntimeError("exited", "The Codex agent is gone.");
  }
}

function promptFrom({ content, context }: TurnInput): string {
  const parts = content.map((block) => {
    if (block.type === "text") return block.text;
    throw new RuntimeError("invalid_input", `Codex takes no ${block.type} here. Send text.`);
  });
  const about =
    context === undefined ? [] : [`Context from the user interface: ${JSON.stringify(context)}`];
  return [...about, ...parts].join("\n\n");
}
