import { createParser, type EventSourceMessage } from "eventsource-parser";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { native } from "../../../../../wire/src/native/native.ts";
import { encodeFrames } from "../frame-log/frame-encoder.ts";
import { sse, sseKeepalive, sseRetry } from "./sse.ts";

function parse(bytes: Buffer): EventSourceMessage[] {
  const events: EventSourceMessage[] = [];
  createParser({ onEvent: (event) => events.push(event) }).feed(bytes.toString());
  return events;
}

const hostile = [
  "x\r\nid: 9999\r\nevent: permission_request\ndata: {}\n\n",
  "\r",
  "\n\nid: 999",
  "a\u2028b\u2029c",
  "nul \0 and bom \uFEFF",
  "lone surrogate \uD800",
];

describe("a frame in server-sent events", () => {
  test("is id, event and data, each on one line, then a blank line", () => {
    const bytes = sse.encode(12, { name: "delta", data: '{"seq":12}' });
    expect(bytes.toString()).toBe('id: 12\nevent: delta\ndata: {"seq":12}\n\n');
  });

  test.each(hostile)("stays one event with the same text, whatever stands in it: %j", (text) => {
    const envelope = { seq: 3, type: "notice", data: { level: "info", text } };
    const event = { seq: 3, type: "notice", json: JSON.stringify(envelope) };
    const [parsed, ...more] = parse(encodeFrames(sse, 3, native.frames(event)));
    expect(more).toEqual([]);
    expect(parsed).toMatchObject({ id: "3", event: "notice" });
    expect(JSON.parse(parsed?.data ?? "")).toEqual(envelope);
  });

  test("stays one event for any text at all", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.nat(), (text, seq) => {
        const [parsed, ...more] = parse(
          sse.encode(seq, { name: "delta", data: JSON.stringify(text) }),
        );
        expect(more).toEqual([]);
        expect(parsed?.id).toBe(String(seq));
        expect(JSON.parse(parsed?.data ?? "")).toBe(text);
      }),
    );
  });

  test.each(["a\nid: 9", "a\rid: 9", "a\r\n\r\nevent: done"])(
    "cannot be split by a dialect that breaks its lines: %j",
    (text) => {
      const events = parse(sse.encode(1, { name: text, data: text }));
      expect(events).toHaveLength(1);
      expect(events[0]?.id).toBe("1");
    },
  );

  test("keepalives and retry hints are not events", () => {
    expect(parse(Buffer.concat([sseKeepalive, sseRetry(1234.5)]))).toEqual([]);
    expect(sseRetry(1234.5).toString()).toBe("retry: 1234\n\n");
  });
});
