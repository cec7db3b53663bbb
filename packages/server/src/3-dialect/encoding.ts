import type { Frame } from "./dialect.ts";

/** How a frame lies in the bytes of a connection. */
export interface Encoding {
  readonly name: string;
  /** Without a seq the frame has no place that a reader could come back to. */
  encode(seq: number | undefined, frame: Frame): Buffer;
}
