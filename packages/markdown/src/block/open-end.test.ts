import { describe, expect, test } from "vitest";
import type { MarkdownBlock, MarkdownInline } from "../tree/node.ts";
import { createMarkdownStream } from "../stream.ts";
import { sampleText } from "../test-support/sample.ts";

function open(text: string): readonly MarkdownBlock[] {
  return createMarkdownStream().update(text);
}

/** One paragraph's content in a short notation. */
function shown(text: string): string {
  const [block, ...others] = open(text);
  expect(others).toEqual([]);
  if (block === undefined) return "";
  expect(block.type).toBe("paragraph");
  return block.type === "paragraph" ? block.children.map(notation).join("") : "";
}

function notation(node: MarkdownInline): string {
  switch (node.type) {
    case "text":
      return node.text;
    case "break":
      return "⏎";
    case "code":
      return `code(${node.text})`;
    case "image":
      return `image(${node.alt})`;
    case "emphasis":
    case "strong":
    case "strikethrough":
    case "link":
      return `${node.type}(${node.children.map(notation).join("")})`;
  }
}

describe("the open end of a text", () => {
  test.each([
    ["**bo", "strong(bo)"],
    ["**bold*", "strong(bold)"],
    ["**bold**", "strong(bold)"],
    ["a *b", "a emphasis(b)"],
    ["a **", "a "],
    ["***both", "emphasis(strong(both))"],
    ["**bold _it", "strong(bold emphasis(it))"],
    ["~~go", "strikethrough(go)"],
    ["2 * 3", "2 * 3"],
    ["snake_case", "snake_case"],
    ["`cod", "code(cod)"],
    ["``a`", "code(a)"],
    ["a `", "a "],
    ["[te", "te"],
    ["[text]", "text"],
    ["[text](", "text"],
    ["[text](htt", "text"],
    ["[text](https://a.example", "text"],
    ["[**bo", "strong(bo)"],
    ["[a](https://a.example) and [b](h", "link(a) and b"],
    ["![al", "al"],
    ["![alt](https://a.ex", "alt"],
    ["[text][re", "text"],
    ["items[0", "items[0"],
    ["a \\", "a "],
    ["\\*", "*"],
    ["line\n-", "line"],
    ["line\n==", "line"],
    ["[label]:", ""],
    ["[label]: https://a.ex", ""],
  ])("shows %j as %j", (text, expected) => {
    expect(shown(text)).toBe(expected);
  });

  test.each(["#", "-", "*", "+ ", "1.", "``", "```".slice(0, 1), "--", "***", ">", "|", "~~"])(
    "holds %j back until it is known what it starts",
    (text) => {
      expect(open(`before\n\n${text}`)).toEqual(open("before\n\n"));
    },
  );

  test("shows a fence at once, and not the first half of its end", () => {
    expect(open("```ts\nconst a")).toEqual([
      { type: "code_block", language: "ts", text: "const a", isOpen: true },
    ]);
    expect(open("```ts\na\n``")).toEqual([
      { type: "code_block", language: "ts", text: "a", isOpen: true },
    ]);
    expect(open("```ts\na\n```\n")).toMatchObject([
      { type: "code_block", text: "a", isOpen: false },
    ]);
  });

  test("shows the header of a table as one, before the line under it has come", () => {
    for (const text of ["| a | b", "| a | b |\n", "| a | b |\n|--", "| a | b |\n|---|---|\n"]) {
      expect(open(text)).toMatchObject([{ type: "table", header: { cells: [{}, {}] }, rows: [] }]);
    }
  });

  test("hides the box of a task until it is whole", () => {
    for (const text of ["- [", "- [ ", "- [ ]", "- [x]"]) {
      expect(open(text)).toMatchObject([{ type: "list", items: [{ children: [] }] }]);
    }
    expect(open("- [x] do **it")).toMatchObject([{ items: [{ isChecked: true }] }]);
  });

  test("repairs headings, items, quotes and cells as it does paragraphs", () => {
    const strong = [{ type: "strong", children: [{ text: "bo" }] }];
    expect(open("# **bo")).toMatchObject([{ children: strong }]);
    expect(open("- **bo")).toMatchObject([{ items: [{ children: [{ children: strong }] }] }]);
    expect(open("> **bo")).toMatchObject([{ children: [{ children: strong }] }]);
    expect(open("|a|\n|-|\n|**bo")).toMatchObject([{ rows: [{ cells: [strong] }] }]);
  });

  test("repairs nothing that stands before it", () => {
    expect(open("**not closed\n\nnext")).toMatchObject([
      { children: [{ type: "text", text: "**not closed" }] },
      { children: [{ type: "text", text: "next" }] },
    ]);
  });

  test("shows the text as written once it is complete", () => {
    const [block] = createMarkdownStream().update("**bo", { isComplete: true });
    expect(block).toEqual({ type: "paragraph", children: [{ type: "text", text: "**bo" }] });
  });

  test("never shows a marker of emphasis or a link in a text that has none left over", () => {
    const text = sampleText.slice(0, sampleText.indexOf("<div")).replaceAll("\\*", "");
    const growing = createMarkdownStream();
    for (let end = 0; end <= text.length; end += 1) {
      const seen = JSON.stringify(growing.update(text.slice(0, end)), (key, value: unknown) =>
        key === "url" ? undefined : value,
      );
      expect(seen).not.toMatch(/\*\*|~~|\]\(|```/);
    }
  });
});
