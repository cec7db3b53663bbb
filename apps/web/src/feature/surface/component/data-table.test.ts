// @vitest-environment happy-dom
import type { ComponentProps } from "@turnwire/react";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import { DataTable, tablePropsFrom, type TableProps } from "./data-table.tsx";

function cells(page: HTMLElement): string[][] {
  return [...page.querySelectorAll("tr")].map((row) =>
    [...row.children].map(({ textContent }) => textContent),
  );
}

test("columns and actions with the same name are all shown, also when the columns change", () => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  const errors = vi.spyOn(console, "error");
  const page = document.createElement("div");
  const root = createRoot(page);
  onTestFinished(() => {
    act(() => root.unmount());
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const show = (props: unknown): void =>
    act(() => {
      const given: Partial<ComponentProps<TableProps>> = { props: tablePropsFrom(props) };
      // The table uses its props and, once a button is pressed, its callback.
      root.render(createElement(DataTable, given as ComponentProps<TableProps>));
    });

  show({
    columns: ["Time", "Name", "Name"],
    rows: [[1, "a", "b"]],
    actions: ["Open", "Open"],
  });
  expect(cells(page)).toEqual([
    ["Time", "Name", "Name"],
    ["1", "a", "b"],
  ]);
  show({ columns: ["Name", "Name"], rows: [["c", "d"]], actions: ["Open", "Open"] });
  expect(cells(page)).toEqual([
    ["Name", "Name"],
    ["c", "d"],
  ]);
  expect(page.textContent.match(/Open/g)).toHaveLength(2);
  expect(errors).not.toHaveBeenCalled();
});
