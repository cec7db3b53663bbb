import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { safeLine, safeOutput, safeText } from "./safe-text.ts";

describe("foreign text", () => {
  test("shows control characters instead of sending them", () => {
    expect(safeText("a\u001b[2Jb\u0007c\u007f")).toBe("a␛[2Jb␇c␡");
  });

  test("cannot reorder or hide what a person reads", () => {
    expect(safeText("rm\u202e -rf\u2066 x\u{e0041}")).toBe("rm� -rf� x�");
  });

  test("keeps line breaks, emoji and letters of any script", () => {
    const text = "héllo\n漢字 👩‍💻 שלום";
    expect(safeText(text)).toBe(text);
  });

  test("has one line where one line is wanted", () => {
    expect(safeLine("a\r\nb\nc\td")).toBe("a b c    d");
  });

  test("of a program loses its colours and shows the last state of a rewritten line", () => {
    expect(safeOutput("\u001b[31mred\u001b[0m\n10%\r50%\r100%\r\ndone")).toBe("red\n100%\ndone");
  });

  test("never holds an escape or another control character, whatever comes in", () => {
    const point = fc.oneof(fc.nat(0x2f), fc.integer({ min: 0x80, max: 0x2fff }), fc.nat(0x10_ffff));
    const anything = fc.array(point).map((points) => String.fromCodePoint(...points));
    fc.assert(
      fc.property(anything, (text) => {
        for (const safe of [safeText(text), safeOutput(text), safeLine(text)]) {
          expect(safe).not.toMatch(/[^\P{Cc}\n]/u);
        }
      }),
    );
  });
});
