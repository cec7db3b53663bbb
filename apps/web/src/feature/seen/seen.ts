import { createStore } from "@turnwire/base";
import { useStorePart } from "../../element/use-store.ts";

const KEY = "turnwire.seen";
/** How many sessions are remembered: those seen last. */
const KEPT = 300;
/** A turn has at least this many events; a rename or a hibernation has fewer and is not news. */
const TURN_EVENTS = 4;

type SeenMap = ReadonlyMap<string, number>;

const seen = createStore(storedMap());
addEventListener("storage", ({ key }) => {
  if (key === KEY || key === null) seen.set(storedMap());
});

function storedMap(): SeenMap {
  return seenFrom(localStorage.getItem(KEY) ?? "[]");
}

/** Pairs of session and seq; anything else in the storage is ignored. */
export function seenFrom(text: string): SeenMap {
  try {
    const pairs: unknown = JSON.parse(text);
    if (!Array.isArray(pairs)) return new Map();
    return new Map(pairs.filter(isPair));
  } catch {
    return new Map();
  }
}

function isPair(value: unknown): value is [string, number] {
  return Array.isArray(value) && typeof value[0] === "string" && typeof value[1] === "number";
}

/** The newest event of a session that was on screen in this browser; undefined if none was. */
export function seenSeq(sessionId: string): number | undefined {
  return seen.get().get(sessionId);
}

/** Notes that a person has seen a session up to this event. */
export function markSeen(sessionId: string, seq: number): void {
  // Another tab may have written since.
  const before = storedMap();
  if ((before.get(sessionId) ?? -1) >= seq) return;
  const others = [...before].filter(([id]) => id !== sessionId);
  const pairs: [string, number][] = [...others.slice(1 - KEPT), [sessionId, seq]];
  localStorage.setItem(KEY, JSON.stringify(pairs));
  seen.set(new Map(pairs));
}

/** True if at least one turn has passed since the session was seen. */
export function useIsUnseen({
  session_id: id,
  head,
}: {
  readonly session_id: string;
  readonly head: number;
}): boolean {
  const seq = useStorePart(seen, (map) => map.get(id));
  return seq !== undefined && head - seq >= TURN_EVENTS;
}
