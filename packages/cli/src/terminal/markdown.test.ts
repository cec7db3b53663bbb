import * as fc from "fast-check";
import picocolors from "picocolors";
import stringWidth from "string-width";
import { describe, expect, test } from "vitest";
import type { Format } from "./format.ts";
import { advanceMarkdown, noMarkdown } from "./markdown.ts";

const ESCAPE = "\u001b";

/** The escapes that the renderer itself writes. */
const styles = new RegExp(`${ESCAPE}\\[(\\d+)m`, "g");

const plain: Format = { width: 40, colors: picocolors.createColors(false) };
const coloured: Format = { width: 40, colors: picocolors.createColors(true) };

function render(text: string, format: Format = plain): string {
  return advanceMarkdown(noMarkdown, text, { isOver: true, format }).lines.join("\n");
}

/** Renders a text that arrives in pieces; what was printed once is never taken back. */
function renderPieces(pieces: readonly string[], format: Format): string {
  let progress = noMarkdown;
  let text = "";
  const printed: string[] = [];
  for (const piece of pieces) {
    text += piece;
    const step = advanceMarkdown(progress, text, { isOver: false, format });
    printed.push(...step.lines);
    progress = step.progress;
  }
  printed.push(...advanceMarkdown(progress, text, { isOver: true, format }).lines);
  return printed.join("\n");
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

      ‹2›│ ‹22›a quote

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

  test("fits the width, code and unbreakable tables aside", () => {
    const text = fc
      .array(fc.lorem({ maxCount: 20 }), { maxLength: 5 })
      .map((all) => all.join("\n\n"));
    fc.assert(
      fc.property(text, (source) => {
        for (const each of render(source, coloured).split("\n")) {
          expect(stringWidth(each)).toBeLessThanOrEqual(40);
        }
      }),
    );
  });

  test("shows the unfinished line, and prints it only when it is over", () => {
    const step = advanceMarkdown(noMarkdown, "done\nnot yet", { isOver: false, format: plain });
    expect(step.lines).toEqual(["done"]);
    expect(step.live).toEqual(["not yet"]);
  });

  test("holds a table back until it is complete, and shows it meanwhile", () => {
    const text = "| a | b |\n|---|---|\n| 1 | 2 |\n";
    const step = advanceMarkdown(noMarkdown, text, { isOver: false, format: plain });
    expect(step.lines).toEqual([]);
    expect(step.live).toEqual(["a  b", "─  ─", "1  2"]);
    const end = advanceMarkdown(step.progress, `${text}\nafter\n`, {
      isOver: false,
      format: plain,
    });
    expect(end.lines).toEqual(["a  b", "─  ─", "1  2", "", "after"]);
  });

  test("does not send what an agent hides in it to the terminal", () => {
    const evil = "\u001b]0;title\u0007 `\u001b[2J` [x](https://e.x/\u001b[1m)\n```\n\u001b[H\n```";
    expect(render(evil)).not.toContain("\u001b");
    const own = render(evil, coloured).replaceAll(styles, "");
    expect(own).not.toContain("\u001b");
  });

  test("always shows where a link leads", () => {
    expect(render("[https://bank.example](https://evil.example)", coloured)).toContain(
      "https://evil.example",
    );
  });

  test("survives a fence that is never closed", () => {
    expect(render("```js\nlet a;\n\nlet b;")).toBe("  js\n  let a;\n  \n  let b;");
  });

  test("prints a very long line without choking on it", () => {
    const words = "word ".repeat(100_000);
    expect(render(words, coloured).replaceAll(/\s+/g, " ").trim()).toBe(words.trim());
  });
});
