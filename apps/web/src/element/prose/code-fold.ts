/** Longer code is folded to this many lines. */
export const SHOWN_LINES = 40;

/** A few more lines than that are shown at once: a button would take as much room. */
const SLACK = 10;

/** The first lines of a code, and how many more there are. */
export function linesOfCode(text: string): { readonly first: string; readonly hidden: number } {
  let end = -1;
  for (let count = 0; count < SHOWN_LINES; count += 1) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) return { first: text, hidden: 0 };
  }
  const hidden = text
    .slice(end + 1)
    .replace(/\n$/, "")
    .split("\n").length;
  return hidden <= SLACK ? { first: text, hidden: 0 } : { first: text.slice(0, end), hidden };
}
