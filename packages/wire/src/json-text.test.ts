import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonFromBytes } from "./json-text.ts";

const parse = (text: string) => jsonFromBytes(Buffer.from(text));

describe("JSON from outside", () => {
  test("is what JSON.parse makes of it, whatever its strings hold", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 20 }), (text) => {
        if (text.includes("__proto__")) return;
        expect(parse(text)).toEqual({ ok: true, value: JSON.parse(text) });
      }),
    );
    const hard = JSON.stringify({ '[{"\\': '\\\\"],:', b: ["\\", '"'] });
    expect(parse(hard)).toEqual({ ok: true, value: JSON.parse(hard) });
  });

  test("of too many values is refused before it is parsed, wherever they are", () => {
    const numbers = `[${"1,".repeat(300_000)}1]`;
    const keys = `{${Array.from({ length: 150_000 }, (_, key) => `"${key}":0`).join(",")}}`;
    for (const text of [numbers, keys]) {
      expect(parse(text)).toMatchObject({
        ok: false,
        error: { message: expect.stringContaining("more than 200000 values") },
      });
    }
  });

  test("may hold any text in a string, however many commas and brackets it has", () => {
    const text = "[,:{".repeat(300_000);
    expect(parse(JSON.stringify({ text }))).toEqual({ ok: true, value: { text } });
  });

  test("nested too deeply, with a key for prototypes, or broken off is refused", () => {
    expect(parse("[".repeat(65) + "]".repeat(65))).toMatchObject({ ok: false });
    expect(parse("[".repeat(64) + "]".repeat(64))).toMatchObject({ ok: true });
    expect(parse('{"a":[{"\\u005f_proto__":1}]}')).toMatchObject({ ok: false });
    for (const text of ["", '"', '"\\', "{", '{"a', "]"]) {
      expect(parse(text)).toMatchObject({ ok: false });
    }
  });
});
