import * as fc from "fast-check";
import picocolors from "picocolors";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Format } from "./format.ts";
import { MarkdownText } from "./markdown.ts";

const ESCAPE = "\u001b";

/** The escapes that the renderer itself writes. */
const styles = new RegExp(`${ESCAPE}\\[(\\d+)m`, "g");

const plain: Format = { width: 40, colors: picocolors.createColors(false) };
const coloured: Format = { width: 40, colors: picocolors.createColors(true) };

function render(text: string, format: Format = plain): string {
  return new MarkdownText().update(text, { isOver: true, format }).lines.join("\n");
}

/** Renders a text that arrives in pieces, with a preview after each. */
function renderPieces(pieces: readonly string[], format: Format): string {
  const markdown = new MarkdownText();
  let text = "";
  const printed: string[] = [];
  for (const piece of pieces) {
    text += piece;
    printed.push(...markdown.update(text, { isOver: false, format }).lines);
  }
  printed.push(...markdown.update(text, { isOver: true, format }).lines);
  return printed.join("\n");
}

/** The lines that are printed, and those that are shown, of a text that is not over. */
function renderOpen(text: string, format: Format = plain) {
  return new MarkdownText().update(text, { isOver: false, format });
}

const sample = `# Title

A paragraph with **bold**, \`code\` and a [link](https://example.com) that is longer than a line.

- one
  - nested
1. [x] done
2. [ ] open

> a quote

| a | b |
|---|--:|
| 1 | 22 |

\`\`\`diff
- old

+ new
\`\`\`
---
end`;

const line = fc.constantFrom(
  "# Title",
  "plain **bold** `code` words that go on and on and on, further than the width",
  "",
  "- item",
  "  1. nested",
  "> quote | with pipe",
  "| a | b |",
  "|---|---|",
  "| 1 | 2 |",
  "a | b",
  "```ts",
  "```",
  "~~~",
  "    indented",
  "***",
  "\u001b[31mred\u001b[0m",
  "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
  "\r",
  "- [x] task",
  "  continued",
  "   - deeper **strong",
  "lazy",
  "===",
  "| only a header",
  "see [it] and [other][it]",
  "[it]: https://example.com/later",
  "<div>",
  "<!-- comment",
  "-->",
  "1. one",
  "\t- tab",
);

describe("markdown on a terminal", () => {
  test("looks like this without colours: structure laid out, emphasis as it was written", () => {
    expect(render(sample)).toMatchInlineSnapshot(`
      "# Title

      A paragraph with **bold**, \`code\` and a
      [link](https://example.com) that is
      longer than a line.

      • one
        • nested

      1. ☑ done
      2. ☐ open

      │ a quote

      a   b
      ─  ──
      1  22

        diff
        - old
        
        + new

      ────────────────────────────────────────

      end"
    `);
  });

  test("looks like this with colours", () => {
    const marked = render(sample, coloured).replaceAll(styles, "‹$1›");
    expect(marked).toMatchInlineSnapshot(`
      "‹1›‹4›Title‹24›‹22›

      A paragraph with ‹1›bold‹22›, ‹36›code‹39› and a ‹4›link‹24›
      ‹2›(https://example.com)‹22› that is longer
      than a line.

      ‹2›•‹22› one
        ‹2›•‹22› nested

      ‹2›1.‹22› ☑ done
      ‹2›2.‹22› ☐ open

      ‹2›│‹22› a quote

      ‹1›a‹22›   ‹1›b‹22›
      ‹2›─  ──‹22›
      1  22

        ‹2›diff‹22›
      ‹31›  - old‹39›
      ‹36›  ‹39›
      ‹32›  + new‹39›

      ‹2›────────────────────────────────────────‹22›

      end"
    `);
  });

  test("is the same however the text was cut on its way", () => {
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join("\n"));
    const cut = fc.tuple(text, fc.array(fc.nat(400), { maxLength: 8 })).map(([whole, cuts]) => {
      const ends = [...new Set(cuts.map((at) => Math.min(at, whole.length)))];
      const places = [0, ...ends.toSorted((left, right) => left - right), whole.length];
      const pieces = places.slice(1).map((end, index) => whole.slice(places[index], end));
      return { whole, pieces };
    });
    fc.assert(
      fc.property(cut, fc.constantFrom(plain, coloured), ({ whole, pieces }, format) => {
        expect(renderPieces(pieces, format)).toBe(render(whole, format));
      }),
      { numRuns: 500 },
    );
  });

  test.each([20, 33, 40, 80, 120])("fits a width of %i, code aside", (width) => {
    const words = fc.lorem({ maxCount: 20 });
    const block = fc.oneof(
      words,
      words.map((text) => `## ${text}`),
      words.map((text) => `> ${text}\n>\n> - ${text}`),
      words.map((text) => `- ${text}\n  1. [ ] ${text}`),
      words.map((text) => `| ${text} | b | c |\n|---|:-:|--:|\n| 1 | ${text} | 漢字漢字 |`),
      fc.nat(30).map((count) => `${"| title ".repeat(count + 1)}|\n${"|---".repeat(count + 1)}|`),
      fc.constant("漢字".repeat(60)),
      fc.constant("https://example.com/a/very/long/address/without/any/place/to/break/it"),
    );
    const text = fc.array(block, { maxLength: 5 }).map((all) => all.join("\n\n"));
    fc.assert(
      fc.property(text, fc.constantFrom(plain, coloured), (source, { colors }) => {
        for (const each of render(source, { width, colors }).split("\n")) {
          expect(stringWidth(each)).toBeLessThanOrEqual(width);
        }
      }),
    );
  });

  test.each([
    ["nothing of a closed paragraph", "done\n\n", ["done"], []],
    ["HTML that a blank line does not end", "<!-- a\n\nb", [], ["<!-- a", "", "b"]],
    ["a paragraph that is not over", "done\n\nnot yet\nmore", ["done"], ["", "not yet", "more"]],
    ["the last line of code", "```ts\na\nb\nc", ["  ts", "  a"], ["  b", "  c"]],
    ["the last item of a list", "- a\n- b\n- c", ["• a"], ["• b", "• c"]],
    ["the last block of an item", "- a\n\n  b\n\n  c\n", ["• a", "", "  b"], ["", "  c"]],
    ["the last block of a quote", "> a\n>\n> b\n", ["│ a"], ["│", "│ b"]],
    ["half of the markup", "some **bol", [], ["some **bol**"]],
  ])("holds back %s, and shows it meanwhile", (_, text, lines, live) => {
    expect(renderOpen(text)).toEqual({ lines, live });
  });

  test("holds a table back until it is complete, and shows it meanwhile", () => {
    const text = "| a | b |\n|---|---|\n| 1 | 2 |\n";
    const markdown = new MarkdownText();
    const open = markdown.update(text, { isOver: false, format: plain });
    expect(open).toEqual({ lines: [], live: ["a  b", "─  ─", "1  2"] });
    const closed = markdown.update(`${text}\nafter\n`, { isOver: false, format: plain });
    expect(closed).toEqual({ lines: ["a  b", "─  ─", "1  2"], live: ["", "after"] });
  });

  test("does not take for final what may turn out to be one paragraph with the next line", () => {
    expect(renderPieces(["words\n", "| no table\n", "after all\n"], plain)).toBe(
      "words\n| no table\nafter all",
    );
  });

  test("is the same however it was cut where it is long", () => {
    const unit = "# Title\n\nSome *words*.\n\n```js\nlet a;\n\n```\n- a\n\n- b\n\nmore\n\n";
    const long = unit.repeat(1000);
    const pieces = long.match(/[\s\S]{1,20011}/g) ?? [];
    const whole = render(long);
    expect(renderPieces(pieces, plain)).toBe(whole);
    const once = "# Title\n\nSome *words*.\n\n  js\n  let a;\n  \n\n• a\n\n• b\n\nmore";
    expect(whole).toBe(Array.from({ length: 1000 }, () => once).join("\n\n"));
  });

  test("prints what comes after the text was over as a text of its own", () => {
    const markdown = new MarkdownText();
    expect(markdown.update("- a", { isOver: true, format: plain }).lines).toEqual(["• a"]);
    expect(markdown.update("- a", { isOver: true, format: plain }).lines).toEqual([]);
    expect(markdown.update("- a\n# b", { isOver: true, format: plain }).lines).toEqual(["# b"]);
  });

  test("previews the end of a very long paragraph only", () => {
    const { live } = renderOpen(`${"word ".repeat(5000)}the end`);
    expect(live.join(" ").length).toBeLessThan(5000);
    expect(live[0]).toMatch(/^…/);
    expect(live.at(-1)).toMatch(/end$/);
  });

  test("does not send what an agent hides in it to the terminal", () => {
    const evil = "\u001b]0;title\u0007 `\u001b[2J` [x](https://e.x/\u001b[1m)\n```\n\u001b[H\n```";
    expect(render(evil)).not.toContain("\u001b");
    const own = render(evil, coloured).replaceAll(styles, "");
    expect(own).not.toContain("\u001b");
  });

  test.each([
    ["an entity", "&#27;[2J &#x9b;2J &#x202e;"],
    ["a link's target", "[x](<https://e.x/&#27;]8;;>)"],
    ["an image", "![&#27;[2J](data:&#27;[2J,)"],
    ["a language", "```&#27;[2J\ncode\n```"],
    ["a table", "| &#27;[2J |\n|---|\n| \u009b2J |"],
    ["a title", "# \u001b[2J"],
  ])("cannot be controlled by %s", (_, text) => {
    for (const format of [plain, coloured]) {
      const { live } = renderOpen(text, format);
      for (const shown of [render(text, format), live.join("\n")]) {
        expect(shown.replaceAll(styles, "")).not.toMatch(/[^\P{Cc}\n]|\p{Cf}/u);
      }
    }
  });

  test("always shows where a link leads", () => {
    expect(render("[https://bank.example](https://evil.example)", coloured)).toContain(
      "https://evil.example",
    );
  });

  test.each([
    ["[file](src/a.ts)", "[file](src/a.ts)"],
    ["[x](javascript:alert)", "[x](javascript:alert)"],
    ["https://example.com/a and www.example.com", "https://example.com/a and www.example.com"],
    ["<mail@example.com>", "mail@example.com"],
    ["![chart](https://example.com/a.png)", "![chart](https://example.com/a.png)"],
    ["![dot](data:image/png;base64,AAAA)", "![dot](data:image/png;base64…)"],
  ])("shows the target of %s", (text, shown) => {
    expect(render(text, { ...plain, width: 80 })).toBe(shown);
  });

  test.each([
    ["a setext heading", "Title\nof two lines\n===", "# Title\n  of two lines"],
    ["emphasis inside a word", "snake_case_name 2*3*4", "snake_case_name 2*3*4"],
    ["escapes", "\\*not\\* emphasis", "*not* emphasis"],
    ["code with backticks", "`` a`b ``", "``a`b``"],
    ["a list that starts at 7", "7. a\n1. b", "7. a\n8. b"],
    ["a loose list", "- a\n\n- b\n\n- c", "• a\n\n• b\n\n• c"],
    ["a list that becomes loose", "- a\n- b\n\n- c", "• a\n• b\n\n• c"],
    ["an empty item", "- a\n-\n- c", "• a\n•\n• c"],
    ["code in an item", "- a\n  ```js\n  x\n  ```\n- b", "• a\n    js\n    x\n• b"],
    ["a quote with a lazy line", "> a\nb\n\nc", "│ a\n│ b\n\nc"],
    ["a quote in an item", "- a\n  > b\n  >> c", "• a\n  │ b\n  │\n  │ │ c"],
    ["indented code", "    a\n\n    b\n\nc", "  a\n  \n  b\n\nc"],
    ["a hard break", "a\\\nb", "a\nb"],
    ["HTML as text", "<b>a</b>", "<b>a</b>"],
    ["a fence inside a longer fence", "````\n```\n````", "  ```"],
    ["a number that starts no list", "In\n1986. A year", "In\n1986. A year"],
    ["a row with a cell too few", "|a|b|\n|-|-|\n|1|", "a  b\n─  ─\n1"],
    ["a defined reference", "[it]: https://e.x\n\n[it]", "[it](https://e.x)"],
    ["deep lists", "- a\n  - b\n    - [ ] c", "• a\n  • b\n    • ☐ c"],
  ])("reads %s as CommonMark does", (_, text, shown) => {
    expect(render(text)).toBe(shown);
    expect(renderPieces(Array.from(text), plain)).toBe(shown);
  });

  test("survives a fence that is never closed", () => {
    expect(render("```js\nlet a;\n\nlet b;")).toBe("  js\n  let a;\n  \n  let b;");
  });

  test("prints a very long line without choking on it", () => {
    const words = "word ".repeat(100_000);
    expect(render(words, coloured).replaceAll(/\s+/g, " ").trim()).toBe(words.trim());
  });
});
