import { createStore } from "@turnwire/base";
import { useStorePart } from "../../element/use-store.ts";

const KEY = "turnwire.folded-groups";

const folded = createStore(foldedFrom(localStorage.getItem(KEY)));

/** The keys of folded groups; anything else in the storage is ignored. The archive is folded at first. */
export function foldedFrom(text: string | null): ReadonlySet<string> {
  try {
    const keys: unknown = JSON.parse(text ?? '["archived"]');
    return new Set(Array.isArray(keys) ? keys.filter((key) => typeof key === "string") : []);
  } catch {
    return new Set();
  }
}

/** Folds a group or opens it, also for the next visit. */
export function toggleGroup(key: string): void {
  const before = folded.get();
  const next = new Set(before);
  if (!next.delete(key)) next.add(key);
  folded.set(next);
  localStorage.setItem(KEY, JSON.stringify([...next]));
}

export function useIsFolded(key: string): boolean {
  return useStorePart(folded, (keys) => keys.has(key));
}
