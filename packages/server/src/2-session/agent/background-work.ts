import type { EventDraft } from "@turnwire/protocol";
import type { Clock } from "@turnwire/base";

/** A compaction that reports nothing for this long counts as over. */
const maxCompactionMs = 10 * 60_000;

/** What a run does outside of turns: background tasks and a compaction. It must not be put to sleep meanwhile. */
export class BackgroundWork {
  readonly #clock: Clock;
  readonly #tasks = new Set<string>();
  #compactingUntil = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isRunning(): boolean {
    return this.#tasks.size > 0 || this.#clock.now() < this.#compactingUntil;
  }

  startCompaction(): void {
    this.#compactingUntil = this.#clock.now() + maxCompactionMs;
  }

  endCompaction(): void {
    this.#compactingUntil = 0;
  }

  observe(drafts: readonly EventDraft[]): void {
    for (const draft of drafts) {
      if (draft.type === "task") {
        if (draft.data?.status === "running") this.#tasks.add(draft.data.task_id);
        else this.#tasks.delete(draft.data?.task_id);
      } else if (draft.type === "compacted" || isFailure(draft)) {
        this.endCompaction();
      }
    }
  }
}

/** A compaction that failed is reported as a notice or an error. */
function isFailure(draft: EventDraft): boolean {
  return draft.type === "error" || (draft.type === "notice" && draft.data?.level !== "info");
}
