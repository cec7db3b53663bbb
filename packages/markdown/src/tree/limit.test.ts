import { describe, expect, test } from "vitest";
import {
  maximumBlockDepth,
  maximumColumns,
  maximumInlineDepth,
  maximumInlineLength,
} from "./limit.ts";
import { createMarkdownStream, parseMarkdown } from "../stream.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).slice(0, 4).map(depthOf));
}

const length = 30_000;

/** Texts on which careless parsers take quadratic time or worse, or run out of stack. */
const floods: Readonly<Record<string, string>> = {
  quotes: ">".repeat(length),
  "nested lists in one line": "- ".repeat(length),
  "nested lists": Array.from({ length: 500 }, (_, depth) => `${"  ".repeat(depth)}- x`).join("\n"),
  "openers of emphasis": "*a ".repeat(length / 3),
  "closers of emphasis": "a* ".repeat(length / 3),
  "mixed emphasis": "*a_ ".repeat(length / 4),
  "nested emphasis": "*a **a ".repeat(length / 7),
  "deep emphasis": `${"**a ".repeat(5_000)}${" a**".repeat(2_500)}`,
  "long delimiter runs": `${"*".repeat(length / 2)}a${"*".repeat(length / 2)}`,
  "open brackets": "[".repeat(length),
  "nested brackets": `${"[".repeat(length / 2)}a${"]".repeat(length / 2)}`,
  "links that do not end": "[a](".repeat(length / 4),
  "targets that do not end": "[a](<b".repeat(length / 6),
  "titles that do not end": '[a](b "'.repeat(length / 7),
  "images in images": "![".repeat(length / 2),
  "nested links": `${"[a".repeat(length / 20)}${"](b)".repeat(length / 20)}`,
  backticks: Array.from({ length: 240 }, (_, count) => "`".repeat(count + 1)).join(" "),
  "comments that do not end": "<!-- ".repeat(length / 5),
  "tags that do not end": "<a b='".repeat(length / 6),
  "spaces in tags": `<a${" ".repeat(length)}`,
  entities: "&amp".repeat(length / 4),
  "addresses that are none": "a".repeat(length),
  "addresses with many dots": "a@b.".repeat(length / 4),
  "urls with parentheses": `https://a.b/${")".repeat(2_000)}`.repeat(15),
  "spaces before a line end": `a${" ".repeat(length)}\n`.repeat(3),
  definitions: "[a]: b\n".repeat(length / 7),
  "references to many definitions": `${"[a] ".repeat(length / 8)}\n\n${"[b]: c\n".repeat(length / 14)}`,
  "columns of a table": `${"|a".repeat(length / 4)}\n${"|-".repeat(length / 4)}\n${"|\n".repeat(500)}`,
  "number signs": `# ${"# ".repeat(length / 2)}`,
  rules: "* ".repeat(length / 2),
};

describe("a flood", () => {
  test.each(Object.entries(floods))("of %s is read, and stays flat", (_, text) => {
    const blocks = parseMarkdown(text);
    const isFlat = (each: unknown) => depthOf(each) < 3 * (maximumBlockDepth + maximumInlineDepth);
    expect(isFlat(blocks)).toBe(true);
    const growing = createMarkdownStream();
    for (let end = 0; end < text.length; end += Math.ceil(text.length / 8)) {
      expect(isFlat(growing.update(text.slice(0, end)))).toBe(true);
    }
    expect(growing.update(text, { isComplete: true })).toEqual(blocks);
  });

  test("of text in one paragraph is shown without markup, and all of it", () => {
    const text = "*a* ".repeat(maximumInlineLength).trim();
    expect(parseMarkdown(text)).toEqual([
      { type: "paragraph", children: [{ type: "text", text }] },
    ]);
  });

  test("of columns makes no table", () => {
    const table = (columns: number) => `${"|a".repeat(columns)}|\n${"|-".repeat(columns)}|`;
    expect(parseMarkdown(table(maximumColumns))).toMatchObject([{ type: "table" }]);
    expect(parseMarkdown(table(maximumColumns + 1))).toMatchObject([{ type: "paragraph" }]);
  });
});
