export type Cell = string | number | boolean | null;

export interface Sorting {
  readonly column: number;
  readonly isDescending: boolean;
}

const words = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

/** The rows sorted by one column: numbers as numbers, everything else as text; missing values last. */
export function sortRows(
  rows: readonly (readonly Cell[])[],
  sorting: Sorting | undefined,
): readonly (readonly Cell[])[] {
  if (!sorting) return rows;
  const direction = sorting.isDescending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const a = left[sorting.column] ?? null;
    const b = right[sorting.column] ?? null;
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return direction * compare(a, b);
  });
}

function compare(a: NonNullable<Cell>, b: NonNullable<Cell>): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  return words.compare(String(a), String(b));
}
