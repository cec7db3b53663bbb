import { maximumColumns } from "../tree/limit.ts";
import type { MarkdownAlignment } from "../tree/node.ts";
import { trimSpace } from "../inline/space.ts";

const delimiterCell = /^:?-+:?$/;

/** The cells of a row: split at pipes that no backslash stands before. */
export function cellsFrom(line: string): string[] {
  const row = trimSpace(line);
  const cells: string[] = [];
  let cell = "";
  let start = row.startsWith("|") ? 1 : 0;
  for (let index = start; index < row.length; index += 1) {
    if (row[index] === "\\") {
      if (row[index + 1] === "|") {
        cell += row.slice(start, index);
        start = index + 1;
      }
      index += 1;
    } else if (row[index] === "|") {
      cells.push(trimSpace(cell + row.slice(start, index)));
      cell = "";
      start = index + 1;
    }
  }
  const last = cell + row.slice(start);
  if (start < row.length || cell !== "" || cells.length === 0) cells.push(trimSpace(last));
  return cells;
}

/** How each column stands, when the line is the one under a table's header. */
export function alignmentsFrom(line: string): (MarkdownAlignment | undefined)[] | undefined {
  if (!/^[ \t|:-]+$/.test(line) || !/[|:]/.test(line)) return undefined;
  const cells = cellsFrom(line);
  if (cells.length > maximumColumns || !cells.every((cell) => delimiterCell.test(cell))) {
    return undefined;
  }
  return cells.map((cell) => {
    if (cell.startsWith(":")) return cell.endsWith(":") && cell.length > 1 ? "center" : "left";
    return cell.endsWith(":") ? "right" : undefined;
  });
}
