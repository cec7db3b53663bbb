import { type Capabilities, draft, type EventDraft } from "@turnwire/protocol";
import { type NativeEnd, type RunOptions, type Runtime, RuntimeError } from "@turnwire/runtime";
import { everyCapability } from "../../../2-session/test-support/control.ts";
import { Gate } from "./gate.ts";
import type { Journal } from "./journal.ts";
import { ModelRun, type RunCall } from "./model-run.ts";

/** The background tasks that an agent has begun and not ended. */
type OpenTasks = readonly string[];

/** A kind of agent whose every step a history decides. One per server process. */
export class ModelRuntime implements Runtime<EventDraft, OpenTasks> {
  readonly name = "model";
  readonly label = "Model";
  readonly capabilities: Capabilities = { ...everyCapability, session_options: ["max_turns"] };
  readonly runs: ModelRun[] = [];
  readonly gates: Readonly<Record<RunCall, Gate>> = {
    start: new Gate(),
    send: new Gate(),
    steer: new Gate(),
    interrupt: new Gate(),
    compact: new Gate(),
    rollback: new Gate(),
    close: new Gate(),
  };
  readonly normalizer = {
    initial: (): OpenTasks => [],
    step: (tasks: OpenTasks, message: EventDraft) =>
      [tasksAfter(tasks, message), [message]] as const,
    end: (tasks: OpenTasks, _end: NativeEnd) =>
      tasks.map((id) => draft("task", { task_id: id, status: "stopped" })),
  };
  readonly #journal: Journal;
  readonly #failing = new Set<RunCall>();
  #isCrashed = false;

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  check = async () => ({ isAvailable: true });

  async createRun(options: RunOptions): Promise<ModelRun> {
    await this.#pass("start");
    const run = new ModelRun(options, {
      journal: this.#journal,
      pass: (call) => this.#pass(call),
    });
    this.runs.push(run);
    return run;
  }

  async fork(source: { turns: number }): Promise<{ providerSessionId: string }> {
    return { providerSessionId: `fork-of-${source.turns}` };
  }

  /** Runs that are not gone, oldest first. */
  get openRuns(): ModelRun[] {
    return this.runs.filter((run) => !run.isEnded);
  }

  /** The next call of this kind fails. */
  failNext(call: RunCall): void {
    this.#failing.add(call);
  }

  /** The process is gone and its agents with it: no call ever comes back. */
  crash(): void {
    this.#isCrashed = true;
  }

  /** From now on nothing is slow and nothing fails. */
  calm(): void {
    this.#failing.clear();
    for (const gate of Object.values(this.gates)) gate.open();
  }

  async #pass(call: RunCall): Promise<void> {
    const isFailing = this.#failing.delete(call);
    await this.gates[call].pass();
    if (this.#isCrashed) await new Promise(() => undefined);
    if (isFailing && call !== "close") throw injectedFailure(call);
  }
}

const injectedMark = "injected: ";

function injectedFailure(call: RunCall): RuntimeError {
  return new RuntimeError("protocol", `${injectedMark}${call} failed`);
}

/** Whether a history wanted an agent to fail like this. */
export function isInjectedFailure(error: RuntimeError): boolean {
  return error.message.startsWith(injectedMark);
}

function tasksAfter(tasks: OpenTasks, message: EventDraft): OpenTasks {
  if (message.type !== "task") return tasks;
  const { task_id: id, status } = message.data;
  const others = tasks.filter((task) => task !== id);
  return status === "running" ? [...others, id] : others;
}
