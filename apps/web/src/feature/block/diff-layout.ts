import { useSyncExternalStore } from "react";

/** inline: what was above what is; split: beside it. */
export type DiffLayout = "inline" | "split";

const KEY = "turnwire.diff-layout";
const listeners = new Set<() => void>();

function chosenLayout(): DiffLayout {
  return localStorage.getItem(KEY) === "split" ? "split" : "inline";
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Chooses for all diffs, and for the next visit. */
export function chooseDiffLayout(layout: DiffLayout): void {
  localStorage.setItem(KEY, layout);
  for (const listener of listeners) listener();
}

export function useDiffLayout(): DiffLayout {
  return useSyncExternalStore(subscribe, chosenLayout);
}
