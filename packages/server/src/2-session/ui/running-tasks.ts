import { draft, type EventDraft, type SessionEvent, type SessionState } from "@turnwire/protocol";

/** The background tasks that no event has ended: an agent that is gone will end none of them. */
export class RunningTasks {
  /** The turn that each belongs to, by the task's id. */
  readonly #turns = new Map<string, string | undefined>();

  /** The tasks of a folded log. */
  static from({ tasks }: Pick<SessionState, "tasks">): RunningTasks {
    const running = new RunningTasks();
    for (const { task_id, status } of Object.values(tasks)) {
      if (status === "running") running.#turns.set(task_id, undefined);
    }
    return running;
  }

  /** Follows the log. */
  observe(event: SessionEvent): void {
    if (event.type !== "task") return;
    const { task_id, status } = event.data;
    if (status === "running") this.#turns.set(task_id, event.turn_id ?? this.#turns.get(task_id));
    else this.#turns.delete(task_id);
  }

  /** Events that end all of them. */
  stopped(summary: string): EventDraft[] {
    return [...this.#turns].map(([task_id, turn_id]) =>
      draft(
        "task",
        { task_id, status: "stopped", summary },
        turn_id === undefined ? {} : { turn_id },
      ),
    );
  }
}
