import { describe, expect, test } from "vitest";
import { websocket } from "./websocket.ts";

/** Reads one unmasked frame as RFC 6455 lays it out. */
function decode(bytes: Buffer): { opcode: number; isLast: boolean; text: string; rest: number } {
  const first = bytes.readUInt8(0);
  const short = bytes.readUInt8(1);
  const [length, start] =
    short === 126
      ? [bytes.readUInt16BE(2), 4]
      : short === 127
        ? [Number(bytes.readBigUInt64BE(2)), 10]
        : [short, 2];
  const text = bytes.subarray(start, start + length).toString();
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    text,
    rest: bytes.length - start - length,
  };
}

describe("a frame in WebSocket", () => {
  test.each([0, 1, 125, 126, 127, 65_535, 65_536, 200_000])(
    "is one whole text message of %i bytes",
    (length) => {
      const data = "x".repeat(length);
      const frame = decode(websocket.encode(1, { name: "delta", data }));
      expect(frame).toEqual({ opcode: 1, isLast: true, text: data, rest: 0 });
    },
  );

  test("counts bytes, not characters", () => {
    const data = "é".repeat(63) + "🙂";
    expect(decode(websocket.encode(1, { name: "delta", data }))).toMatchObject({
      text: data,
      rest: 0,
    });
  });
});
