import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TailBuffer } from "./tail-buffer.ts";

function tailOf(chunks: readonly string[], maxBytes: number): string {
  const tail = new TailBuffer(maxBytes);
  for (const chunk of chunks) tail.push(Buffer.from(chunk));
  return tail.toString();
}

describe("TailBuffer", () => {
  test("keeps the last bytes, whatever the chunks", () => {
    const ascii = fc.string({ unit: "grapheme-ascii" });
    fc.assert(
      fc.property(fc.array(ascii), fc.integer({ min: 1, max: 50 }), (chunks, maxBytes) => {
        expect(tailOf(chunks, maxBytes)).toBe(chunks.join("").slice(-maxBytes));
      }),
    );
  });

  test("never starts in the middle of a character", () => {
    for (const maxBytes of [1, 2, 3, 4, 5, 6, 7, 8]) {
      expect(tailOf(["😀é😀é"], maxBytes)).not.toContain("\uFFFD");
    }
    expect(tailOf(["😀é😀"], 5)).toBe("😀");
  });

  test("keeps everything that fits", () => {
    expect(tailOf([], 10)).toBe("");
    expect(tailOf(["é", "😀"], 6)).toBe("é😀");
  });
});
