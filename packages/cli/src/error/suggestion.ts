/** Letters to add, remove or replace to make one word the other. */
function distance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const added = (current[column - 1] ?? 0) + 1;
      const removed = (previous[column] ?? 0) + 1;
      current.push(Math.min(replaced, added, removed));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

/** The word that was probably meant, if one is near enough. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  const limit = Math.max(1, Math.floor(word.length / 3) + 1);
  const ranked = known
    .map((candidate) => ({
      candidate,
      distance: candidate.startsWith(word) && word.length > 1 ? 0 : distance(word, candidate),
    }))
    .toSorted((left, right) => left.distance - right.distance);
  const best = ranked[0];
  return best && best.distance <= limit ? best.candidate : undefined;
}

/** " Did you mean X?", or nothing. */
export function didYouMean(word: string, known: readonly string[], prefix = ""): string {
  const suggestion = nearest(word, known);
  return suggestion === undefined ? "" : ` Did you mean ${prefix}${suggestion}?`;
}
