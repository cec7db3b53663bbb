import { newId } from "./memory.ts";
import type { DemoMessageOf } from "./message.ts";
import type { Script } from "./script.ts";
import type { DemoTurn } from "./turn.ts";

export interface TaskOptions {
  readonly toolUse: string;
  readonly description: string;
  /** How long it takes; Infinity waits for somebody to stop it. */
  readonly ticks: number;
}

/** Starts work that continues after its turn, until it is done or stopped; gives back its id. */
export function startTask(turn: DemoTurn, options: TaskOptions): string {
  const task = newId("task");
  const stopped = new AbortController();
  turn.memory.tasks.set(task, stopped);
  turn.playInBackground(playTask(turn, { ...options, task, signal: stopped.signal }));
  return task;
}

async function* playTask(
  turn: DemoTurn,
  {
    task,
    toolUse,
    description,
    ticks,
    signal,
  }: TaskOptions & { task: string; signal: AbortSignal },
): Script {
  const { memory, pace } = turn;
  const report = (
    status: DemoMessageOf<"task">["status"],
    summary?: string,
  ): DemoMessageOf<"task"> => ({
    type: "task",
    turn: turn.input.turnId,
    task,
    status,
    description,
    tool_use: toolUse,
    ...(summary !== undefined && { summary }),
  });
  yield report("running");
  if (ticks === Number.POSITIVE_INFINITY) await aborted(signal);
  else await pace.pause(ticks, signal);
  memory.tasks.delete(task);
  yield signal.aborted ? report("stopped", "Stopped by a person.") : report("completed", "Built.");
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
