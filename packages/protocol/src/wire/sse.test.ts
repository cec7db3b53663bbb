import { eventLogArbitrary } from "@turnwire/conformance/event-log-arbitrary";
import { createParser } from "eventsource-parser";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createSseDecoder, encodeSseComment, encodeSseFrame, type SseFrame } from "../index.ts";

function decodeAll(chunks: readonly string[]): SseFrame[] {
  const decoder = createSseDecoder();
  return chunks.flatMap((chunk) => decoder.push(chunk));
}

/** A text cut into pieces of these sizes and a rest. */
function cut(text: string, sizes: readonly number[]): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (const size of sizes) {
    chunks.push(text.slice(start, start + size));
    start += size;
  }
  return [...chunks, text.slice(start)];
}

const sizes = fc.array(fc.nat(7), { size: "medium" });
const piece = fc.constantFrom(
  ..."data|data:|data: |id:|id: 1|id: a\0|event:|event: x|retry: 5|retry: x|: note|other: y".split(
    "|",
  ),
  ..."\n|\r|\r\n|\n\n|\r\r|\r\n\r\n| |:|\uFEFF|\u2028|é😀|\0|x".split("|"),
);
const stream = fc.array(piece, { size: "large", maxLength: 60 }).map((pieces) => pieces.join(""));

const hostile = fc.oneof(
  fc.string({ unit: "binary" }),
  fc
    .array(fc.constantFrom("\r", "\n", "\0", "\u2028", "\u2029", " ", ":", "x"))
    .map((c) => c.join("")),
);
const label = hostile.filter((text) => text !== "" && !/[\p{Cc}\u2028\u2029]/u.test(text));

describe("the decoder", () => {
  test("reads the same frames however the text is cut", () => {
    fc.assert(
      fc.property(stream, sizes, (text, chosen) => {
        expect(decodeAll(cut(text, chosen))).toEqual(decodeAll([text]));
        expect(decodeAll(text.split(""))).toEqual(decodeAll([text]));
      }),
    );
  });

  test("reads what another parser reads, however the text is cut", () => {
    fc.assert(
      fc.property(stream, sizes, (text, chosen) => {
        // The other parser takes a byte order mark for text and waits for what follows a last CR.
        fc.pre(!text.startsWith("\uFEFF") && !text.endsWith("\r"));
        const theirs: { event: string | undefined; data: string }[] = [];
        const parser = createParser({
          onEvent: ({ event, data }) => theirs.push({ event, data }),
        });
        parser.feed(text);
        const ours = decodeAll(cut(text, chosen)).map(({ event, data }) => ({ event, data }));
        expect(ours).toEqual(theirs);
      }),
    );
  });

  test.each([
    { what: "LF", text: "data: a\n\n" },
    { what: "CR", text: "data: a\r\r" },
    { what: "CRLF", text: "data: a\r\n\r\n" },
    { what: "a byte order mark", text: "\uFEFFdata: a\n\n" },
    { what: "no space after the colon", text: "data:a\n\n" },
    { what: "comments", text: ": one\ndata: a\n:two\n\n" },
    { what: "unknown fields", text: "colour: red\ndata: a\nDATA: b\n\n" },
  ])("reads one frame with $what", ({ text }) => {
    expect(decodeAll([text])).toEqual([{ data: "a" }]);
    expect(decodeAll(text.split(""))).toEqual([{ data: "a" }]);
  });

  test("takes CRLF cut in two for one line end", () => {
    expect(decodeAll(["data: a\r", "\ndata: b\r", "\n", "\r", "\n"])).toEqual([{ data: "a\nb" }]);
    expect(decodeAll(["data: a\r", "", "\ndata: b\n\n"])).toEqual([{ data: "a\nb" }]);
  });

  test("gives a frame at the CR that ends it, without waiting for an LF", () => {
    expect(createSseDecoder().push("data: a\r\r")).toEqual([{ data: "a" }]);
  });

  test("joins data lines, and takes a data line without text for one", () => {
    expect(decodeAll(["data: a\ndata\ndata: \n\n"])).toEqual([{ data: "a\n\n" }]);
    expect(decodeAll(["data\n\n"])).toEqual([{ data: "" }]);
  });

  test("strips one space only", () => {
    expect(decodeAll(["data:  a\n\n"])).toEqual([{ data: " a" }]);
  });

  test("gives nothing for blocks without data, and nothing that is not ended", () => {
    expect(decodeAll(["event: x\n\n", "data: cut off\n"])).toEqual([]);
  });

  test("keeps the id until another comes, and ignores one with NUL", () => {
    const decoder = createSseDecoder();
    expect(decoder.lastEventId).toBe("");
    const frames = decoder.push("id: 1\ndata: a\n\ndata: b\n\nid: 2\0\ndata: c\n\nid\ndata: d\n\n");
    expect(frames).toEqual([
      { id: "1", data: "a" },
      { id: "1", data: "b" },
      { id: "1", data: "c" },
      { data: "d" },
    ]);
  });

  test("takes an id from a block without data, but not from one that is not ended", () => {
    const decoder = createSseDecoder();
    decoder.push("id: 7\n\nid: 8\n");
    expect(decoder.lastEventId).toBe("7");
  });

  test("forgets the event name with each frame", () => {
    expect(decodeAll(["event: x\ndata: a\n\ndata: b\n\n"])).toEqual([
      { event: "x", data: "a" },
      { data: "b" },
    ]);
  });

  test("takes whole digits only for a waiting time", () => {
    const decoder = createSseDecoder();
    decoder.push("retry: 1.5\nretry: -1\nretry: x\nretry:\n\n");
    expect(decoder.retryMs).toBeUndefined();
    decoder.push("retry: 250\n\n");
    expect(decoder.retryMs).toBe(250);
  });
});

describe("the encoder", () => {
  test("writes what the decoder reads back, whatever the data holds", () => {
    const frame = fc.record(
      { id: label, event: label, data: hostile, retry: fc.nat() },
      { requiredKeys: ["id", "data"] },
    );
    fc.assert(
      fc.property(fc.array(frame), sizes, (frames, chosen) => {
        const encoded = frames.map(encodeSseFrame).join("");
        const decoded = decodeAll(cut(encoded, chosen));
        expect(decoded.map(({ data }) => data)).toEqual(
          frames.map(({ data }) => data.replaceAll(/\r\n|\r/g, "\n")),
        );
        expect(decoded.map(({ data: _, ...fields }) => fields)).toEqual(
          frames.map(({ data: _, ...fields }) => fields),
        );
      }),
    );
  });

  test("keeps each event of a log one frame, through JSON and back", () => {
    fc.assert(
      fc.property(eventLogArbitrary(), (events) => {
        const text = events
          .map((event) => {
            const data = JSON.stringify(event);
            return encodeSseFrame({ id: String(event.seq), event: event.type, data });
          })
          .join("");
        const frames = decodeAll(text.split(""));
        expect(frames.map(({ data }) => data)).toEqual(events.map((e) => JSON.stringify(e)));
        expect(frames.map(({ id }) => id)).toEqual(events.map(({ seq }) => String(seq)));
      }),
      { numRuns: 20 },
    );
  });

  test.each(["a\nb", "a\rb", "a\0b", "a\u2028b", "\n", "\u0085"])(
    "refuses an id or an event name with %j",
    (text) => {
      expect(() => encodeSseFrame({ id: text, data: "" })).toThrow(RangeError);
      expect(() => encodeSseFrame({ event: text, data: "" })).toThrow(RangeError);
    },
  );

  test.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])("refuses to wait %d ms", (retry) => {
    expect(() => encodeSseFrame({ data: "", retry })).toThrow(RangeError);
  });

  test("writes hints without data that are not frames", () => {
    const decoder = createSseDecoder();
    expect(decoder.push(encodeSseFrame({ retry: 100, id: "4" }))).toEqual([]);
    expect(decoder).toMatchObject({ retryMs: 100, lastEventId: "4" });
  });

  test("writes comments that no reader sees, also of many lines", () => {
    expect(encodeSseComment("keepalive")).toBe(": keepalive\n\n");
    expect(decodeAll([encodeSseComment("a\n\ndata: b\r\n\r\n")])).toEqual([]);
  });
});
