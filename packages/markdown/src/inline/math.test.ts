import { expect, test } from "vitest";
import { createMarkdownStream } from "../index.ts";
import { maximumInlineLength } from "../tree/limit.ts";

function textOf(source: string): string {
  const [block] = createMarkdownStream().update(source, { isComplete: true });
  if (block?.type !== "paragraph") throw new Error("This is a paragraph.");
  return block.children
    .map((node) => (node.type === "text" ? node.text : `<${node.type}>`))
    .join("");
}

test("TeX in a line keeps its backslashes", () => {
  expect(textOf(String.raw`So \(x_1 * \frac{a}{b}\) holds`)).toBe(
    String.raw`So \(x_1 * \frac{a}{b}\) holds`,
  );
});

test("other escapes are escapes", () => {
  expect(textOf(String.raw`\) close, \(\) and \(open`)).toBe(") close, () and (open");
});

test("many beginnings without an end are text", () => {
  const count = maximumInlineLength / 2;
  expect(textOf(String.raw`\(`.repeat(count)) === "(".repeat(count)).toBe(true);
});
