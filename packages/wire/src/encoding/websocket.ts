import { SLICE_BYTES, type Encoding } from "./encoding.ts";

/** Opcode 1 with FIN: a whole text message in one frame (RFC 6455, section 5.2). */
const WHOLE_TEXT = 0x81;
/** A message in fragments (section 5.4): the first names its kind, the last has FIN. */
const FIRST_FRAGMENT = 0x01;
const MIDDLE_FRAGMENT = 0x00;
const LAST_FRAGMENT = 0x80;
const LENGTH_IN_16_BITS = 126;
const LONG_HEADER = 4;

/**
 * WebSocket text messages as a server frames them: unmasked. One that is longer than a slice is sent
 * in fragments, one per slice: between them there is room for pings and closes.
 */
export const websocket: Encoding = {
  name: "websocket",
  encode(_seq, frame) {
    const length = Buffer.byteLength(frame.data);
    const header = length < LENGTH_IN_16_BITS ? 2 : LONG_HEADER;
    if (header + length > SLICE_BYTES) return fragments(Buffer.from(frame.data));
    const bytes = Buffer.allocUnsafe(header + length);
    writeHeader(bytes, { opcode: WHOLE_TEXT, length });
    bytes.write(frame.data, header);
    return bytes;
  },
};

/** The same with the line break that ends each message where they are lines. */
export const websocketLines: Encoding = {
  name: "websocket-lines",
  encode: (seq, { name, data }) => websocket.encode(seq, { name, data: `${data}\n` }),
};

/** Says that the line stands, where a page cannot see pings. */
export const websocketKeepalive = websocket.encode(undefined, {
  name: "keepalive",
  data: '{"type":"keepalive"}',
});

function fragments(text: Buffer): Buffer {
  const size = SLICE_BYTES - LONG_HEADER;
  const count = Math.ceil(text.length / size);
  const pieces = Array.from({ length: count }, (_, index) => {
    const payload = text.subarray(index * size, (index + 1) * size);
    const isLast = index === count - 1;
    const first = index === 0 ? FIRST_FRAGMENT : MIDDLE_FRAGMENT;
    const header = Buffer.allocUnsafe(payload.length < LENGTH_IN_16_BITS ? 2 : LONG_HEADER);
    writeHeader(header, { opcode: isLast ? LAST_FRAGMENT : first, length: payload.length });
    return [header, payload];
  });
  return Buffer.concat(pieces.flat());
}

function writeHeader(
  bytes: Buffer,
  { opcode, length }: { readonly opcode: number; readonly length: number },
): void {
  bytes[0] = opcode;
  if (length < LENGTH_IN_16_BITS) {
    bytes[1] = length;
  } else {
    bytes[1] = LENGTH_IN_16_BITS;
    bytes.writeUInt16BE(length, 2);
  }
}
