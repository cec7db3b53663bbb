import { encodeSseComment, encodeSseFrame } from "@turnwire/protocol";
import type { Encoding } from "@turnwire/wire";

const plainName = /^[\w.-]*$/;

/** What an event's name cannot hold; a dialect that writes it anyway must not break the stream. */
const unwritable = /[\p{Cc}\u2028\u2029]+/gu;

/** Server-sent events. Promise: one frame is one event to every conforming parser, whatever its text. */
export const sse: Encoding = {
  name: "sse",
  encode(seq, { name, data }) {
    const event = plainName.test(name) ? name : name.replace(unwritable, " ");
    const text =
      seq === undefined
        ? encodeSseFrame({ event, data })
        : encodeSseFrame({ id: String(seq), event, data });
    return Buffer.from(text);
  },
};

/** A comment that only keeps the connection open. */
export const sseKeepalive = Buffer.from(encodeSseComment("keepalive"));

/** Asks a reader to wait this long before it reconnects. */
export function sseRetry(ms: number): Buffer {
  return Buffer.from(encodeSseFrame({ retry: Math.trunc(ms) }));
}
