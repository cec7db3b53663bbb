import stringWidth from "string-width";
import type { Format } from "./format.ts";
import { pad, wrap } from "./wrap.ts";

type Alignment = "left" | "right" | "center";

export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly alignments?: readonly (Alignment | undefined)[];
}

const GAP = "  ";
const NARROWEST_COLUMN = 6;

function naturalWidths({ header, rows }: Table): number[] {
  return header.map((title, column) =>
    rows.reduce(
      (widest, row) => Math.max(widest, stringWidth(row[column] ?? "")),
      Math.max(1, stringWidth(title)),
    ),
  );
}

/** Makes the widest columns narrower until the table fits; undefined where there are too many for that. */
function fittingWidths(natural: readonly number[], width: number): number[] | undefined {
  const widths = [...natural];
  let excess =
    widths.reduce((sum, each) => sum + each, 0) + GAP.length * (widths.length - 1) - width;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const current = widths[widest] ?? 0;
    if (current <= NARROWEST_COLUMN) return undefined;
    const second = Math.max(NARROWEST_COLUMN, ...widths.filter((_, column) => column !== widest));
    const taken = Math.min(excess, Math.max(1, current - second));
    widths[widest] = current - taken;
    excess -= taken;
  }
  return widths;
}

/** Each row as a paragraph of its own, one line per cell after the title of its column. */
function recordLines({ header, rows }: Table, { colors, width }: Format): string[] {
  if (rows.length === 0) return header.flatMap((title) => wrap(colors.bold(title), width));
  return rows.flatMap((row, index) => [
    ...(index === 0 ? [] : [""]),
    ...header.flatMap((title, column) =>
      wrap(`${colors.bold(`${title}:`)} ${row[column] ?? ""}`.trimEnd(), width),
    ),
  ]);
}

/** Lays out styled cells in columns; cells that do not fit are wrapped. More columns than fit become records. */
export function tableLines(table: Table, format: Format): string[] {
  const widths = fittingWidths(naturalWidths(table), format.width);
  if (widths === undefined) return recordLines(table, format);
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
