import picocolors from "picocolors";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import { tableLines } from "./table.ts";

const colors = picocolors.createColors(false);

describe("a table", () => {
  test("aligns its columns by what a person sees, not by letters", () => {
    const table = {
      header: ["名前", "N"],
      rows: [
        ["漢字", "1"],
        ["ab", "22"],
      ],
      alignments: ["left", "right"] as const,
    };
    expect(tableLines(table, { width: Infinity, colors })).toEqual([
      "名前   N",
      "────  ──",
      "漢字   1",
      "ab    22",
    ]);
  });

  test("wraps its widest cells where it would not fit", () => {
    const table = { header: ["id", "text"], rows: [["1", "some words that are too long for it"]] };
    const lines = tableLines(table, { width: 24, colors });
    expect(lines.every((line) => stringWidth(line) <= 24)).toBe(true);
    expect(lines.join(" ").replaceAll(/\s+/g, " ")).toContain("some words that are too");
  });

  test("of more columns than fit becomes one record per row", () => {
    const table = {
      header: ["id", "first name", "last name", "town"],
      rows: [
        ["1", "Ada", "Lovelace", "London"],
        ["2", "Grace", "Hopper"],
      ],
    };
    expect(tableLines(table, { width: 24, colors })).toEqual([
      "id: 1",
      "first name: Ada",
      "last name: Lovelace",
      "town: London",
      "",
      "id: 2",
      "first name: Grace",
      "last name: Hopper",
      "town:",
    ]);
  });

  test("stands cells that are missing", () => {
    const table = { header: ["a", "b"], rows: [["1"], []] };
    expect(tableLines(table, { width: 40, colors })).toEqual(["a  b", "─  ─", "1", ""]);
  });
});
