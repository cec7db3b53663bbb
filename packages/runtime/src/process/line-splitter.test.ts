import { setImmediate as nextLoop } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { LineSplitter, type SplitLine } from "./line-splitter.ts";

setFlagsFromString("--expose-gc");

function split(chunks: readonly Buffer[], maxBytes?: number): SplitLine[] {
  const splitter = new LineSplitter(maxBytes === undefined ? {} : { maxBytes });
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

function texts(input: string | Buffer, maxBytes?: number): string[] {
  return split([Buffer.from(input)], maxBytes).map((line) =>
    line.type === "line" ? line.text : `too long: ${line.bytes}`,
  );
}

/** Cuts the bytes at the given places, wherever they are. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const sorted = places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b);
  return [0, ...sorted].map((start, index) => bytes.subarray(start, sorted[index] ?? bytes.length));
}

const piece = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom("\n", "\r", "\r\n", "\n\n", "\uFEFF", "\u2028", "😀", "é", "{}"),
);
const someText = fc.array(piece).map((pieces) => pieces.join(""));
const places = fc.array(fc.nat());

describe("LineSplitter", () => {
  test("any chunking gives the same lines", () => {
    const bytes = fc.oneof(
      someText.map((text) => Buffer.from(text)),
      fc.uint8Array({ max: 16 }).map((array) => Buffer.from(array)),
    );
    fc.assert(
      fc.property(bytes, places, fc.integer({ min: 1, max: 20 }), (bytes, places, maxBytes) => {
        expect(split(cut(bytes, places), maxBytes)).toEqual(split([bytes], maxBytes));
      }),
    );
  });

  test("joined by newlines, the lines are the text again", () => {
    const line = someText
      .map((text) => text.replaceAll(/[\n\r\uFEFF]/g, ""))
      .filter((text) => text !== "");
    fc.assert(
      fc.property(fc.array(line), places, (lines, places) => {
        const chunks = cut(Buffer.from(lines.join("\n")), places);
        expect(split(chunks)).toEqual(lines.map((text) => ({ type: "line", text })));
      }),
    );
  });

  test("only byte 0x0A ends a line, so JSON with U+2028, U+2029 or a lone CR stays whole", () => {
    const json = JSON.stringify({ text: "a\u2028b\u2029c\rd\u0085e\vf\fg" });
    expect(texts(`${json}\n${json}\n`)).toEqual([json, json]);
    expect(texts("a\rb\n")).toEqual(["a\rb"]);
  });

  test("a CR before the newline is dropped, but only one", () => {
    expect(texts("a\r\nb\r\r\nc\r")).toEqual(["a", "b\r", "c"]);
  });

  test("empty lines are skipped", () => {
    expect(texts("\n\r\n\na\n\n\nb\n\n")).toEqual(["a", "b"]);
    expect(texts("")).toEqual([]);
  });

  test("a byte order mark is dropped at the start and kept elsewhere", () => {
    expect(texts("\uFEFFa\n\uFEFFb\n")).toEqual(["a", "\uFEFFb"]);
    expect(texts("\uFEFF\nb\n")).toEqual(["b"]);
    expect(texts("too long\n\uFEFFb\n", 4)).toEqual(["too long: 8", "\uFEFFb"]);
  });

  test("half a line at the end is given as it is", () => {
    expect(texts('{"a":1}\n{"b"')).toEqual(['{"a":1}', '{"b"']);
  });

  test("bytes that are not UTF-8 become replacement characters and harm no other line", () => {
    const bytes = Buffer.concat([
      Buffer.from("a\n"),
      Buffer.from([0xf0, 0x9f, 0x0a]),
      Buffer.from("b\n"),
    ]);
    expect(texts(bytes)).toEqual(["a", "\uFFFD", "b"]);
  });

  test("a line over the limit is skipped and reported once, with its size", () => {
    expect(texts(`${"x".repeat(10)}\n${"y".repeat(11)}\nz\n`, 10)).toEqual([
      "x".repeat(10),
      "too long: 11",
      "z",
    ]);
    expect(texts("y".repeat(11), 10)).toEqual(["too long: 11"]);
  });

  test("a line of any length holds no more than the limit in memory", async () => {
    const splitter = new LineSplitter({ maxBytes: 1024 * 1024 });
    const chunks = Array.from({ length: 800 }, () => pushWeakly(splitter, 64 * 1024));
    await nextLoop();
    runInNewContext("gc")();
    expect(chunks.filter((chunk) => chunk.deref()).length).toBeLessThanOrEqual(17);
    expect(splitter.push(Buffer.from("\nnext\n"))).toEqual([
      { type: "too_long", bytes: 800 * 64 * 1024 },
      { type: "line", text: "next" },
    ]);
  });
});

/** Pushes bytes without a newline, and forgets them. */
function pushWeakly(splitter: LineSplitter, bytes: number): WeakRef<Buffer> {
  const chunk = Buffer.alloc(bytes, 0x78);
  splitter.push(chunk);
  return new WeakRef(chunk);
}
