import { useSyncExternalStore } from "react";

const KEY = "turnwire.seen";
/** Sessions that are remembered, the newest seen ones. */
const KEPT = 300;
/** A turn is never shorter than this; a rename or a hibernation is, and is no news. */
const TURN_EVENTS = 4;

type SeenMap = ReadonlyMap<string, number>;

let cache: { readonly text: string | null; readonly seen: SeenMap } = {
  text: null,
  seen: new Map(),
};
const listeners = new Set<() => void>();

/** What localStorage has, parsed once for each text it had. */
function seenMap(): SeenMap {
  const text = localStorage.getItem(KEY);
  if (text !== cache.text) cache = { text, seen: seenFrom(text ?? "[]") };
  return cache.seen;
}

/** Pairs of session and seq; anything else in the storage is left alone. */
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

/** The newest event of a session that was on screen in this browser; undefined where it never was. */
export function seenSeq(sessionId: string): number | undefined {
  return seenMap().get(sessionId);
}

/** Notes that a person has seen a session up to this event. */
export function markSeen(sessionId: string, seq: number): void {
  const before = seenMap();
  if ((before.get(sessionId) ?? -1) >= seq) return;
  const others = [...before].filter(([id]) => id !== sessionId);
  localStorage.setItem(KEY, JSON.stringify([...others.slice(1 - KEPT), [sessionId, seq]]));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    removeEventListener("storage", listener);
  };
}

/** True where at least a turn went by since a person looked. */
export function useIsUnseen({
  session_id: id,
  head,
}: {
  readonly session_id: string;
  readonly head: number;
}): boolean {
  const seen = useSyncExternalStore(subscribe, () => seenSeq(id));
  return seen !== undefined && head - seen >= TURN_EVENTS;
}
