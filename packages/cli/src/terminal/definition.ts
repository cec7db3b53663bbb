import type { Format } from "./format.ts";
import { wrap } from "./wrap.ts";

const WIDEST = 100;

/** Two columns: what to write, and what it means. */
export function definitionLines(
  term: string,
  meaning: string,
  { format, column }: { format: Format; column: number },
): string[] {
  const start = `  ${term}`;
  const hang = " ".repeat(column);
  const fits = start.length < column - 1;
  const first = fits ? start.padEnd(column) : hang;
  const lines = wrap(meaning, Math.min(format.width, WIDEST), { first, rest: hang });
  return fits ? lines : [start, ...lines];
}
