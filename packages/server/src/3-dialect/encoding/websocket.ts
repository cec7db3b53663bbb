import type { Encoding } from "../encoding.ts";

/** FIN and opcode 1: a whole text message in one frame (RFC 6455, section 5.2). */
const WHOLE_TEXT = 0x81;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

/** WebSocket text messages as a server frames them: unmasked, one message a frame. */
export const websocket: Encoding = {
  name: "websocket",
  encode(_seq, frame) {
    const length = Buffer.byteLength(frame.data);
    const header = headerSize(length);
    const bytes = Buffer.allocUnsafe(header + length);
    bytes[0] = WHOLE_TEXT;
    writeLength(bytes, length);
    bytes.write(frame.data, header);
    return bytes;
  },
};

/** Says that the line stands, where a page cannot see pings. */
export const websocketKeepalive = websocket.encode(undefined, {
  name: "keepalive",
  data: '{"type":"keepalive"}',
});

function headerSize(length: number): number {
  if (length < LENGTH_IN_16_BITS) return 2;
  return length <= 0xffff ? 4 : 10;
}

function writeLength(bytes: Buffer, length: number): void {
  if (length < LENGTH_IN_16_BITS) {
    bytes[1] = length;
  } else if (length <= 0xffff) {
    bytes[1] = LENGTH_IN_16_BITS;
    bytes.writeUInt16BE(length, 2);
  } else {
    bytes[1] = LENGTH_IN_64_BITS;
    bytes.writeBigUInt64BE(BigInt(length), 2);
  }
}
