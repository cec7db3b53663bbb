import type { AppendBatch } from "../store.ts";
import type { StoreHint } from "../store-hint.ts";

type OnHint = (hint: StoreHint) => void;

/** Passes hints on within this process, never in the middle of what caused them. */
export class HintSource {
  readonly #listeners = new Set<OnHint>();

  watch(onHint: OnHint): () => void {
    // Of its own, so that one function can watch twice.
    const listener: OnHint = (hint) => onHint(hint);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(...hints: readonly StoreHint[]): void {
    if (this.#listeners.size === 0 || hints.length === 0) return;
    queueMicrotask(() => {
      for (const hint of hints) {
        for (const listener of this.#listeners) listener(hint);
      }
    });
  }
}

/** What others learn of an append. */
export function hintsOf({ sessionId, events, patch, answers = [] }: AppendBatch): StoreHint[] {
  const isRecordChanged = Object.keys(patch ?? {}).length > 0;
  const head = events.at(-1)?.seq ?? 0;
  const changed: StoreHint[] =
    events.length > 0 || isRecordChanged
      ? [{ type: "events", sessionId, head, isRecordChanged }]
      : [];
  return [...changed, ...answers.map(({ entryId }) => ({ type: "answer" as const, entryId }))];
}
