import { describe, expect, test } from "vitest";
import { SLICE_BYTES } from "./encoding.ts";
import { websocket } from "./websocket.ts";

/** Reads one unmasked frame as RFC 6455 lays it out. */
function decode(bytes: Buffer) {
  const first = bytes.readUInt8(0);
  const short = bytes.readUInt8(1);
  const [length, start] =
    short === 126
      ? [bytes.readUInt16BE(2), 4]
      : short === 127
        ? [Number(bytes.readBigUInt64BE(2)), 10]
        : [short, 2];
  const payload = bytes.subarray(start, start + length);
  return {
    opcode: first & 0x0f,
    isLast: (first & 0x80) !== 0,
    payload,
    text: payload.toString(),
    rest: bytes.length - start - length,
  };
}

describe("a frame in WebSocket", () => {
  test.each([0, 1, 125, 126, 127, 65_532])("is one whole text message of %i bytes", (length) => {
    const data = "x".repeat(length);
    const frame = decode(websocket.encode(1, { name: "delta", data }));
    expect(frame).toMatchObject({ opcode: 1, isLast: true, text: data, rest: 0 });
  });

  test.each([65_533, 65_536, 131_064, 131_065, 200_000, 5_000_000])(
    "of %i bytes is one message in fragments of a slice each",
    (length) => {
      const data = `${"x".repeat(length - 2)}é`;
      const bytes = websocket.encode(1, { name: "delta", data });
      const frames: { opcode: number; isLast: boolean; payload: Buffer }[] = [];
      for (let start = 0; start < bytes.length; start += SLICE_BYTES) {
        const slice = bytes.subarray(start, start + SLICE_BYTES);
        const { opcode, isLast, payload, rest } = decode(slice);
        expect(rest).toBe(0);
        frames.push({ opcode, isLast, payload });
      }
      expect(frames.map(({ opcode }) => opcode)).toEqual(frames.map((_, index) => (index ? 0 : 1)));
      expect(frames.filter(({ isLast }) => isLast)).toEqual(frames.slice(-1));
      expect(Buffer.concat(frames.map(({ payload }) => payload)).toString() === data).toBe(true);
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
