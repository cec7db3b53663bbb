export const surfaces = ["chat", "sidebar", "panel", "overlay", "canvas"] as const;

/** One of the items, whatever number is picked; undefined when there are none. */
export function chosen<Item>(items: readonly Item[], pick: number): Item | undefined {
  return items[pick % Math.max(1, items.length)];
}
