import { detach } from "@turnwire/base";
import type { ComponentProps } from "@turnwire/react";
import { useMemo, useState } from "react";
import { Button } from "../../../element/button.tsx";
import { Icon } from "../../../element/icon.tsx";
import { showError } from "../../../element/toast.ts";
import { ComponentFrame } from "./component-frame.tsx";
import style from "./data-table.module.css";
import { listFrom, objectFrom, optionalTextFrom, textItem } from "./property.ts";
import { sortRows, type Cell, type Sorting } from "./row-sorting.ts";

export interface TableProps {
  readonly title: string | undefined;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
  /** Each becomes a button that calls the agent back. */
  readonly actions: readonly string[];
}

export function tablePropsFrom(value: unknown): TableProps {
  const source = objectFrom(value);
  return {
    title: optionalTextFrom(source, "title"),
    columns: listFrom(source, "columns", textItem),
    rows: listFrom(source, "rows", (row, index) => listFrom({ row }, "row", cellAt(index))),
    actions: listFrom(source, "actions", textItem),
  };
}

function cellAt(row: number): (cell: unknown) => Cell {
  return (cell) => {
    if (cell === null || ["string", "number", "boolean"].includes(typeof cell)) {
      // The line above leaves exactly the types of a cell.
      return cell as Cell;
    }
    throw new Error(`row ${row + 1} holds something other than a string, number or boolean`);
  };
}

/** Rows that a person can sort by any column. */
export function DataTable({ props, callback }: ComponentProps<TableProps>) {
  const { title, columns, rows, actions } = props;
  const [sorting, setSorting] = useState<Sorting>();
  const sorted = useMemo(() => sortRows(rows, sorting), [rows, sorting]);
  const areNumbers = columns.map((_, place) =>
    rows.every((row) => row[place] === null || typeof row[place] === "number"),
  );
  // An agent may give two columns or actions the same name: their places are the keys.
  const buttons = actions.map((action, place) => (
    <Button key={place} onClick={() => detach(callback(action), showError)}>
      {action}
    </Button>
  ));
  return (
    <ComponentFrame
      title={title}
      note={`${rows.length} ${rows.length === 1 ? "row" : "rows"}`}
      {...(buttons.length > 0 && { actions: buttons })}
    >
      <div className={style.scroll} role="group" aria-label="Rows" tabIndex={0}>
        <table className={style.table} aria-label={title}>
          <thead>
            <tr>
              {columns.map((column, index) => (
                <th
                  key={index}
                  scope="col"
                  aria-sort={orderOf(sorting, index)}
                  data-number={areNumbers[index]}
                >
                  <button type="button" onClick={() => setSorting(nextSorting(sorting, index))}>
                    {column}
                    {sorting?.column === index && (
                      <Icon name={sorting.isDescending ? "arrow_down" : "arrow_up"} size={12} />
                    )}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.map((row, index) => (
              <tr key={index}>
                {columns.map((_, place) => (
                  <td key={place} data-number={areNumbers[place]}>
                    {String(row[place] ?? "")}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </ComponentFrame>
  );
}

function orderOf(sorting: Sorting | undefined, column: number) {
  if (sorting?.column !== column) return "none";
  return sorting.isDescending ? "descending" : "ascending";
}

/** Ascending, then descending, then as the agent sent it. */
function nextSorting(before: Sorting | undefined, column: number): Sorting | undefined {
  if (before?.column !== column) return { column, isDescending: false };
  return before.isDescending ? undefined : { column, isDescending: true };
}
