import type { Readable, Writable } from "node:stream";

/** A stream that may be a terminal. */
export type InputStream = Readable & { isTTY?: boolean; setRawMode?: (isRaw: boolean) => unknown };
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };
