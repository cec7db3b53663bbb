import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MarkdownBlock } from "./tree/node.ts";
import { createMarkdownStream, parseMarkdown } from "./stream.ts";
import { markdownText, sampleText } from "./test-support/sample.ts";

/** Feeds a text piece by piece. */
function stream(text: string, cuts: readonly number[]) {
  const growing = createMarkdownStream();
  const sorted = cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b);
  for (const cut of sorted) growing.update(text.slice(0, cut));
  return growing;
}

const cuts = fc.array(fc.nat(), { maxLength: 40 });

describe("a Markdown stream", () => {
  test("ends with the blocks of the whole text, however it was cut", () => {
    fc.assert(
      fc.property(markdownText(), cuts, (text, places) => {
        expect(stream(text, places).update(text, { isComplete: true })).toEqual(
          parseMarkdown(text),
        );
      }),
      { numRuns: 400 },
    );
  });

  test("shows of an unfinished text what a reader who just came sees", () => {
    fc.assert(
      fc.property(markdownText(), cuts, (text, places) => {
        expect(stream(text, places).update(text)).toEqual(createMarkdownStream().update(text));
      }),
      { numRuns: 400 },
    );
  });

  test("reads every prefix of a long text as if it came at once", () => {
    for (const text of [sampleText, sampleText.replaceAll("\n", "\r\n")]) {
      const growing = createMarkdownStream();
      for (let end = 0; end <= text.length; end += 1) {
        const prefix = text.slice(0, end);
        expect(growing.update(prefix)).toEqual(createMarkdownStream().update(prefix));
      }
      expect(growing.update(text, { isComplete: true })).toEqual(parseMarkdown(sampleText));
    }
  });

  test("is right again when the text was replaced by another", () => {
    fc.assert(
      fc.property(markdownText(), markdownText(), (before, after) => {
        const replaced = createMarkdownStream();
        replaced.update(before);
        expect(replaced.update(after, { isComplete: true })).toEqual(parseMarkdown(after));
      }),
    );
  });

  test("continues correctly when a text that was said to be complete grows", () => {
    fc.assert(
      fc.property(markdownText(), fc.nat(), (text, place) => {
        const growing = createMarkdownStream();
        growing.update(text.slice(0, place % (text.length + 1)), { isComplete: true });
        expect(growing.update(text, { isComplete: true })).toEqual(parseMarkdown(text));
      }),
    );
  });

  test("keeps the objects of finished blocks", () => {
    const growing = createMarkdownStream();
    let before: readonly MarkdownBlock[] = [];
    for (let end = 0; end <= sampleText.length; end += 7) {
      const blocks = growing.update(sampleText.slice(0, end));
      const finished = before
        .slice(0, -2)
        .filter((block) => !JSON.stringify(block).includes("later"));
      for (const block of finished) expect(blocks).toContain(block);
      before = blocks;
    }
    expect(before.length).toBeGreaterThan(12);
  });

  test("keeps the objects of finished items and rows of the block that grows", () => {
    const growing = createMarkdownStream();
    const [list] = growing.update("- one\n- two\n- thr");
    const [grown] = growing.update("- one\n- two\n- three");
    expect(
      list?.type === "list" && grown?.type === "list" && grown.items[0] === list.items[0],
    ).toBe(true);
    const [table] = growing.update("| a |\n|---|\n| 1 |\n| 2");
    const [longer] = growing.update("| a |\n|---|\n| 1 |\n| 2 |\n");
    const isKept =
      table?.type === "table" && longer?.type === "table" && longer.rows[0] === table.rows[0];
    expect(isKept).toBe(true);
  });

  test("answers with the same array when nothing is new", () => {
    const growing = createMarkdownStream();
    expect(growing.update("a **b**")).toBe(growing.update("a **b**"));
  });

  test("makes links of references when their definition comes", () => {
    const growing = createMarkdownStream();
    const [before] = growing.update("See [it].\n\nmore\n\n");
    const [after, more] = growing.update("See [it].\n\nmore\n\n[it]: https://example.com\n\n");
    expect(before).toMatchObject({ children: [{ type: "text", text: "See [it]." }] });
    expect(after).toMatchObject({
      children: [{}, { type: "link", url: "https://example.com" }, {}],
    });
    expect(more).toMatchObject({ type: "paragraph" });
  });
});

describe("what a growing text costs", () => {
  function costOf(text: string, deltaCount: number): number {
    const growing = createMarkdownStream();
    const length = text.length / deltaCount;
    for (let count = 1; count <= deltaCount; count += 1) {
      growing.update(text.slice(0, Math.ceil(count * length)));
    }
    growing.update(text, { isComplete: true });
    return growing.parsedCharacters;
  }

  const grown: Readonly<Record<string, (length: number) => string>> = {
    "many blocks": (length) => sampleText.repeat(length / sampleText.length),
    "one open fence": (length) => `\`\`\`ts\n${"const a = 1;\n".repeat(length / 13)}`,
    "one open fence in one line": (length) => `\`\`\`ts\n${"const a = 1;".repeat(length / 12)}`,
    "one list": (length) => "- an item of the **list**\n".repeat(length / 26),
    "one table": (length) => `| a | b |\n|---|---|\n${"| cell | cell |\n".repeat(length / 16)}`,
    "one quote": (length) => "> quoted text\n>\n".repeat(length / 16),
    "code in an item": (length) => `- item:\n  ~~~\n${"  code\n".repeat(length / 7)}`,
  };

  test.each(Object.entries(grown))("is linear in the text's length: %s", (_, textOf) => {
    const cost = costOf(textOf(20_000), 1_000);
    const doubled = costOf(textOf(40_000), 2_000);
    expect(doubled / cost).toBeLessThan(2.3);
  });

  test("is bounded for each delta, however long a paragraph gets", () => {
    const growing = createMarkdownStream();
    let text = "";
    for (let count = 0; count < 500; count += 1) {
      text += "word *and* word ".repeat(16);
      const before = growing.parsedCharacters;
      growing.update(text);
      expect(growing.parsedCharacters - before).toBeLessThan(34_000);
    }
  });
});
