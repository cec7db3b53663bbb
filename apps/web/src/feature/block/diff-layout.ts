import { createStore } from "@turnwire/base";
import { useStore } from "../../element/use-store.ts";

/** inline: old lines above new ones; split: beside them. */
export type DiffLayout = "inline" | "split";

const KEY = "turnwire.diff-layout";

const chosen = createStore<DiffLayout>(localStorage.getItem(KEY) === "split" ? "split" : "inline");

/** Chooses for all diffs, and for the next visit. */
export function chooseDiffLayout(layout: DiffLayout): void {
  localStorage.setItem(KEY, layout);
  chosen.set(layout);
}

export function useDiffLayout(): DiffLayout {
  return useStore(chosen);
}
