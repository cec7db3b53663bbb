import { expect, test } from "vitest";
import { readableMarkdown } from "./readable-markdown.ts";

test("a fold of HTML reads as a heading and its text", () => {
  expect(readableMarkdown("<details>\n<summary>Why</summary>\n\nBecause.\n</details>")).toBe(
    "\n\n**Why**\n\n\nBecause.\n",
  );
});

test("footnotes read as numbers in brackets, where they are used and where they stand", () => {
  expect(readableMarkdown("It is so.[^1]\n\n[^1]: Seen.")).toBe(
    "It is so.\\[1\\]\n\n\\[1\\] Seen.",
  );
});

test("code and other text stay as they are", () => {
  const code = "```html\n<details>\n[^1]\n```\nand `<details> [^1]` too";
  expect(readableMarkdown(code)).toBe(code);
  expect(readableMarkdown("plain [link](a) <b>")).toBe("plain [link](a) <b>");
});
