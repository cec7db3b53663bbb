import { createContext, useContext, useEffect, useState } from "react";

/** What components of one session keep while they are not on the page, by name. */
type SessionMemory = Map<string, unknown>;

/** Sessions whose memory is kept: those that were opened last. */
const MOST_SESSIONS = 30;

/** The memories of the sessions that were opened last in this window. */
export class SessionMemories {
  readonly #memories = new Map<string, SessionMemory>();

  /** Gives a session's memory and makes it the newest. */
  open(sessionId: string): SessionMemory {
    const memory = this.#memories.get(sessionId) ?? new Map<string, unknown>();
    this.#memories.delete(sessionId);
    this.#memories.set(sessionId, memory);
    for (const id of this.#memories.keys()) {
      if (this.#memories.size <= MOST_SESSIONS) break;
      this.#memories.delete(id);
    }
    return memory;
  }
}

/** Given once for the whole window. */
export const SessionMemoriesContext = createContext<SessionMemories | null>(null);

/** Given by each conversation to its parts. */
export const SessionMemoryContext = createContext<SessionMemory | null>(null);

function given<Value>(value: Value | null): Value {
  if (value === null) throw new Error("No memory of sessions is given above this component");
  return value;
}

/** The memory of a session, for the page that shows it. */
export function useSessionMemory(sessionId: string): SessionMemory {
  const memories = given(useContext(SessionMemoriesContext));
  const [memory] = useState(() => memories.open(sessionId));
  return memory;
}

/** An object that belongs to the session on this page and outlives the page. */
export function useKept<Value>(name: string, create: () => Value): Value {
  const memory = given(useContext(SessionMemoryContext));
  const [value] = useState(() => {
    if (!memory.has(name)) memory.set(name, create());
    // Only callers of this hook write under the name, always with the same type.
    return memory.get(name) as Value;
  });
  return value;
}

/** State that outlives its component: a card may scroll out of a long list and come back with what was typed into it. */
export function useKeptState<Value>(name: string, initial: Value): [Value, (next: Value) => void] {
  const memory = given(useContext(SessionMemoryContext));
  // Only callers of this hook write under the name, always with the same type.
  const [value, setValue] = useState(() =>
    memory.has(name) ? (memory.get(name) as Value) : initial,
  );
  const change = (next: Value): void => {
    memory.set(name, next);
    setValue(next);
  };
  return [value, change];
}

/** Forgets all state whose name begins so, once it is over. */
export function useForgetKept(prefix: string, isOver: boolean): void {
  const memory = given(useContext(SessionMemoryContext));
  useEffect(() => {
    if (!isOver) return;
    for (const name of memory.keys()) {
      if (name.startsWith(prefix)) memory.delete(name);
    }
  }, [memory, prefix, isOver]);
}
