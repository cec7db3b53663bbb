import { describe, expect, test } from "vitest";
import type { MarkdownBlock, MarkdownInline } from "./tree/node.ts";
import { createMarkdownStream, parseMarkdown } from "./stream.ts";
import { markdownAttacks } from "./test-support/attack.ts";
import { createUrlRule } from "./tree/url-rule.ts";

const inlineTypes: ReadonlySet<string> = new Set([
  "text",
  "code",
  "break",
  "emphasis",
  "strong",
  "strikethrough",
  "link",
  "image",
]);

function inlinesOf(block: MarkdownBlock): readonly MarkdownInline[] {
  switch (block.type) {
    case "paragraph":
    case "heading":
      return block.children;
    case "quote":
      return block.children.flatMap(inlinesOf);
    case "list":
      return block.items.flatMap((item) => item.children.flatMap(inlinesOf));
    case "table":
      return [block.header, ...block.rows].flatMap((row) => row.cells.flat());
    case "code_block":
    case "rule":
      return [];
  }
}

const allowedLink = /^(?:https?:\/\/[a-z0-9.-]+(?::\d+)?(?:[/?#]|$)|mailto:)/i;
const allowedImage = /^data:image\/(?:png|jpeg|gif|webp)[;,]/;
const trick = /[\p{Cc}\p{Cf}\s\\]/u;

/** The nodes that are not of the union, lead where nothing may, or stand where they must not. */
function faultsIn(nodes: readonly MarkdownInline[], isInLink = false): readonly unknown[] {
  return nodes.flatMap((node) => {
    const isLink = node.type === "link";
    const isFault =
      !inlineTypes.has(node.type) ||
      (isLink && (isInLink || !allowedLink.test(node.url) || trick.test(node.url))) ||
      (node.type === "image" && !allowedImage.test(node.url));
    const inner = "children" in node ? faultsIn(node.children, isInLink || isLink) : [];
    return isFault ? [node, ...inner] : inner;
  });
}

describe("an attack", () => {
  test.each(markdownAttacks)("leaves only text and allowed links: $name", ({ text }) => {
    expect(faultsIn(parseMarkdown(text).flatMap(inlinesOf))).toEqual([]);
    const growing = createMarkdownStream();
    for (let end = 1; end <= text.length; end += 1) {
      expect(faultsIn(growing.update(text.slice(0, end)).flatMap(inlinesOf))).toEqual([]);
    }
  });

  test("by link text shows no character that turns text around", () => {
    const [block] = parseMarkdown("[https://a.example/\u202egpj](https://b.example)");
    expect(block).toMatchObject({ children: [{ children: [{ text: "https://a.example/gpj" }] }] });
  });
});

describe("the URL rule", () => {
  const house = createUrlRule();

  test("lets web and mail links through and nothing else", () => {
    const allowed = ["https://a.example", "http://localhost:3000/x?y#z", "mailto:a@b.example"];
    expect(allowed.map((url) => house.link(url))).toEqual(allowed);
    for (const url of ["/path", "#part", "", "ftp://a.example", "tel:1", "javascript:x"]) {
      expect(house.link(url)).toBeUndefined();
    }
  });

  test("lets paths of the page through only when asked to", () => {
    const rule = createUrlRule({ allowRelativeLinks: true });
    expect(["/path", "a/b?c", "#part"].map((url) => rule.link(url))).toEqual([
      "/path",
      "a/b?c",
      "#part",
    ]);
    for (const url of ["//evil.example", "/\\evil.example", "javascript:x", "\\\\a", ""]) {
      expect(rule.link(url)).toBeUndefined();
    }
  });

  test("loads images from elsewhere only when asked to, and never without encryption", () => {
    expect(house.image("https://a.example/x.png")).toBeUndefined();
    const rule = createUrlRule({ allowRemoteImages: true });
    expect(rule.image("https://a.example/x.png")).toBe("https://a.example/x.png");
    expect(rule.image("http://a.example/x.png")).toBeUndefined();
    expect(rule.image("data:image/svg+xml,<svg>")).toBeUndefined();
  });

  test("that refuses an image shows a link to it, or its text", () => {
    expect(parseMarkdown("![alt](https://a.example/x.png)")).toMatchObject([
      { children: [{ type: "link", url: "https://a.example/x.png", children: [{ text: "alt" }] }] },
    ]);
    expect(parseMarkdown("![alt](javascript:x)")).toMatchObject([
      { children: [{ type: "text", text: "alt" }] },
    ]);
  });

  test("of an embedder decides alone, and may rewrite", () => {
    const urlRule = {
      link: () => undefined,
      image: (url: string) => `https://proxy.example/${url}`,
    };
    expect(parseMarkdown("[a](https://a.example) ![b](c)", { urlRule })).toMatchObject([
      {
        children: [
          { type: "text", text: "a " },
          { type: "image", url: "https://proxy.example/c" },
        ],
      },
    ]);
  });
});
