/** How large a value is as text, in characters and without counting escapes, and how deeply it is nested. */
export interface JsonSize {
  readonly text: number;
  readonly depth: number;
}

/** Deeper than anything sensible; deeper levels are not counted. */
const MAX_DEPTH = 1000;

/** Values are never changed once they are folded, so each is measured once, however often it is shared. */
const measured = new WeakMap<object, JsonSize>();

/**
 * Measures a value without writing it. The time is that of looking at each distinct part once: a
 * value that contains itself many times over, as copies in a patch make it, costs no more than its parts.
 */
export function jsonSize(value: unknown): JsonSize {
  return sizeAt(value, 0);
}

function sizeAt(value: unknown, level: number): JsonSize {
  if (typeof value === "string") return { text: value.length + 2, depth: 0 };
  if (typeof value !== "object" || value === null) return { text: String(value).length, depth: 0 };
  const known = measured.get(value);
  if (known) return known;
  if (level > MAX_DEPTH) return { text: 0, depth: MAX_DEPTH };
  let text = 2;
  let depth = 0;
  for (const [key, child] of Object.entries(value)) {
    const size = sizeAt(child, level + 1);
    text += size.text + 1 + (Array.isArray(value) ? 0 : key.length + 3);
    depth = Math.max(depth, size.depth);
  }
  const size = { text, depth: depth + 1 };
  measured.set(value, size);
  return size;
}
