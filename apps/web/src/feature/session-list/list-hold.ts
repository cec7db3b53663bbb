import { createStore } from "@turnwire/base";
import { useLayoutEffect } from "react";
import { useStorePart } from "../../element/use-store.ts";

/** Something that a person has open in the list; of a session or of a group. */
interface ListHold {
  readonly sessionId: string | undefined;
}

const holds = createStore<readonly ListHold[]>([]);

/** Keeps every row of the list in its place, and this session's row in sight, while something is open in it. */
export function useListHold(isOpen: boolean, sessionId?: string): void {
  useLayoutEffect(() => {
    if (!isOpen) return;
    const hold = { sessionId };
    holds.set([...holds.get(), hold]);
    return () => holds.set(holds.get().filter((other) => other !== hold));
  }, [isOpen, sessionId]);
}

/** True while the rows have to stay where they are. */
export function useIsListHeld(): boolean {
  return useStorePart(holds, (all) => all.length > 0);
}

/** The session in whose row something is open. */
export function useHeldSession(): string | undefined {
  return useStorePart(holds, (all) => all.at(-1)?.sessionId);
}
