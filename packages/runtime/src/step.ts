import type { EventDraft } from "@turnwire/protocol";

/** A normalizer's next state, and what happened. */
export type StepOf<State> = readonly [State, readonly EventDraft[]];

/** Continues from a step; what happened comes in this order. */
export function andThen<State>(
  [state, events]: StepOf<State>,
  next: (state: State) => StepOf<State>,
): StepOf<State> {
  const [after, more] = next(state);
  return [after, events.length === 0 ? more : [...events, ...more]];
}

/** Does the same for each item, one after the other. */
export function forEach<State, Item>(
  state: State,
  items: Iterable<Item>,
  step: (state: State, item: Item) => StepOf<State>,
): StepOf<State> {
  let result: StepOf<State> = [state, []];
  for (const item of items) result = andThen(result, (next) => step(next, item));
  return result;
}

export function withEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  return new Map(map).set(key, value);
}

export function withoutEntry<Key, Value>(
  map: ReadonlyMap<Key, Value>,
  key: Key,
): ReadonlyMap<Key, Value> {
  if (!map.has(key)) return map;
  const rest = new Map(map);
  rest.delete(key);
  return rest;
}

export function withMember<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return set.has(value) ? set : new Set(set).add(value);
}

export function withoutMember<Value>(set: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  if (!set.has(value)) return set;
  const rest = new Set(set);
  rest.delete(value);
  return rest;
}
