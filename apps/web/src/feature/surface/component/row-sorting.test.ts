import { expect, test } from "vitest";
import { sortRows, type Cell } from "./row-sorting.ts";

const rows: Cell[][] = [
  ["b", 10],
  ["a", null],
  ["C", 9],
];
const column = (index: number, isDescending: boolean) =>
  sortRows(rows, { column: index, isDescending }).map((row) => row[index]);

test("numbers are sorted as numbers, words whatever their case", () => {
  expect(column(0, false)).toEqual(["a", "b", "C"]);
  expect(column(1, false)).toEqual([9, 10, null]);
});

test("what is missing comes last in both directions", () => {
  expect(column(1, true)).toEqual([10, 9, null]);
});

test("without a column rows stay as the agent sent them", () => {
  expect(sortRows(rows, undefined)).toBe(rows);
});
