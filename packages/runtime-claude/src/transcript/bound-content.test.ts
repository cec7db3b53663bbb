import type { ContentBlock } from "@turnwire/protocol";
import { describe, expect, test } from "vitest";
import { boundContent } from "./bound-content.ts";

function text(words: string): ContentBlock {
  return { type: "text", text: words };
}

function picture(bytes: number): ContentBlock {
  const data = Buffer.alloc(bytes).toString("base64");
  return { type: "image", source: { type: "base64", media_type: "image/png", data } };
}

function note(bytes: number): ContentBlock {
  const data = Buffer.alloc(bytes, "x").toString("base64");
  return { type: "document", source: { type: "base64", media_type: "text/plain", data } };
}

const leftOut = text("[What was said before this is left out: it is too long.]");

describe("what a message can carry beside another", () => {
  test("is all of it, as it is, as long as it is small", () => {
    const content = [text("one"), picture(10), note(10), text("two")];
    expect(boundContent(content)).toEqual({ content, isWhole: true });
    expect(boundContent([])).toEqual({ content: [], isWhole: true });
  });

  test("is a text that just fits", () => {
    const content = [text("x".repeat(399_997)), text("two")];
    expect(boundContent(content)).toEqual({ content, isWhole: true });
  });

  test("is nothing of what came before a text that takes up all", () => {
    const last = text("x".repeat(400_000));
    expect(boundContent([text("one"), picture(10), last])).toEqual({
      // A picture takes no room of the texts.
      content: [leftOut, picture(10), last],
      isWhole: false,
    });
  });

  test("is bounded however many and however large they are", () => {
    const many = Array.from({ length: 50 }, () => [
      text("y".repeat(1_000_000)),
      picture(2_000_000),
    ]);
    const { content, isWhole } = boundContent(many.flat());
    expect(isWhole).toBe(false);
    expect(JSON.stringify(content).length).toBeLessThan(9_000_000);
    expect(content[0]).toEqual(leftOut);
    expect(content.at(-1)?.type).toBe("image");
  });

  test("has a text document only where its text fits, and few files", () => {
    const { content } = boundContent([note(300_000), text("then"), note(300_000)]);
    expect(content.map(({ type }) => type)).toEqual(["text", "text", "document"]);
    expect(content[0]).toEqual(text("[document: too large]"));
    const pictures = boundContent(Array.from({ length: 30 }, () => picture(10))).content;
    expect(pictures.map(({ type }) => type)).toEqual([
      ...Array.from({ length: 10 }, () => "text"),
      ...Array.from({ length: 20 }, () => "image"),
    ]);
  });

  test("has no half of a character", () => {
    for (const before of ["", "x"]) {
      const { content } = boundContent([text(before + "😀".repeat(300_000))]);
      expect(JSON.stringify(content)).not.toMatch(/\\ud[89a-f]/i);
    }
  });
});
