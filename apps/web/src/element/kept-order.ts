import { useLayoutEffect, useMemo, useRef } from "react";

/** The items in the order in which they were before; a new one stays behind the item that it follows. */
export function inOrderOf<Item>(
  before: readonly string[],
  items: readonly Item[],
  nameOf: (item: Item) => string,
): Item[] {
  const placeBefore = new Map(before.map((name, place) => [name, place]));
  let place = -1;
  return items
    .map((item) => {
      place = placeBefore.get(nameOf(item)) ?? place;
      return { item, place };
    })
    .toSorted((left, right) => left.place - right.place)
    .map(({ item }) => item);
}

/** The items in the order in which this component has shown them so far: nothing moves under a pointer or a key. */
export function useKeptOrder<Item>(
  items: readonly Item[],
  nameOf: (item: Item) => string,
): readonly Item[] {
  const shown = useRef<readonly string[]>([]);
  const ordered = useMemo(() => inOrderOf(shown.current, items, nameOf), [items, nameOf]);
  useLayoutEffect(() => {
    shown.current = ordered.map(nameOf);
  }, [ordered, nameOf]);
  return ordered;
}
