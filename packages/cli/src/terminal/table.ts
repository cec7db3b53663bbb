import stringWidth from "string-width";
import type { Format } from "./format.ts";
import { pad, wrap } from "./wrap.ts";

export type Alignment = "left" | "right" | "center";

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly alignments?: readonly Alignment[];
}

const GAP = "  ";
const NARROWEST_COLUMN = 6;

function naturalWidths({ header, rows }: Table): number[] {
  return header.map((title, column) =>
    Math.max(stringWidth(title), ...rows.map((row) => stringWidth(row[column] ?? "")), 1),
  );
}

/** Takes columns away from the widest ones until the table fits, or nothing can be taken. */
function fittingWidths(natural: readonly number[], width: number): number[] {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const current = widths[widest] ?? 0;
    if (current <= NARROWEST_COLUMN) break;
    const second = Math.max(NARROWEST_COLUMN, ...widths.filter((_, column) => column !== widest));
    const taken = Math.min(excess, Math.max(1, current - second));
    widths[widest] = current - taken;
    excess -= taken;
  }
  return widths;
}

/** Lays out styled cells in columns; cells that do not fit are wrapped. */
export function tableLines(table: Table, format: Format): string[] {
  const widths = fittingWidths(naturalWidths(table), format.width);
  const line = (row: readonly string[]): string[] => {
    const cells = widths.map((width, column) => wrap(row[column] ?? "", width));
    const height = Math.max(...cells.map((cell) => cell.length));
    return Array.from({ length: height }, (_, index) =>
      cells
        .map((cell, column) =>
          pad(cell[index] ?? "", widths[column] ?? 0, table.alignments?.[column]),
        )
        .join(GAP)
        .trimEnd(),
    );
  };
  const { bold, dim } = format.colors;
  return [
    ...line(table.header.map((title) => bold(title))),
    dim(widths.map((width) => "─".repeat(width)).join(GAP)),
    ...table.rows.flatMap(line),
  ];
}
