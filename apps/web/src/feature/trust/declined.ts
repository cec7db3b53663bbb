import { createStore } from "@turnwire/base";
import { useStorePart } from "../../element/use-store.ts";

/** Folders for which the person chose "Not now", as they were then; asked again in the next window. */
const declined = createStore<ReadonlySet<string>>(new Set());

function keyOf(path: string, digest: string): string {
  return `${digest} ${path}`;
}

export function decline(path: string, digest: string): void {
  declined.set(new Set([...declined.get(), keyOf(path, digest)]));
}

export function useIsDeclined(path: string | undefined, digest: string | undefined): boolean {
  return useStorePart(declined, (keys) => keys.has(keyOf(path ?? "", digest ?? "")));
}
