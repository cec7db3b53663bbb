import type { Encoding } from "../encoding.ts";

const LINE_BREAK = /[\r\n]+/g;

/**
 * Server-sent events. Promise: one frame is one event to every conforming parser, whatever its text.
 * Only CR and LF end a line there, and in JSON text they can only be blanks between tokens.
 */
export const sse: Encoding = {
  name: "sse",
  encode(seq, frame) {
    const name = onOneLine(frame.name);
    const data = onOneLine(frame.data);
    const id = seq === undefined ? "" : `id: ${seq}\n`;
    return Buffer.from(`${id}event: ${name}\ndata: ${data}\n\n`);
  },
};

/** A comment that only keeps the connection open. */
export const sseKeepalive = Buffer.from(": keepalive\n\n");

/** Tells a reader how long to wait before it comes back. */
export function sseRetry(ms: number): Buffer {
  return Buffer.from(`retry: ${Math.trunc(ms)}\n\n`);
}

function onOneLine(text: string): string {
  return text.includes("\n") || text.includes("\r") ? text.replaceAll(LINE_BREAK, " ") : text;
}
