import { useState } from "react";

const kept = new Map<string, unknown>();

/** State that outlives its component: a card may leave a long list's window and come back with what was typed into it. */
export function useKeptState<Value>(key: string, initial: Value): [Value, (next: Value) => void] {
  // Only this hook writes under the key, always with the type of its caller.
  const [value, setValue] = useState(() => (kept.has(key) ? (kept.get(key) as Value) : initial));
  const change = (next: Value): void => {
    kept.set(key, next);
    setValue(next);
  };
  return [value, change];
}
