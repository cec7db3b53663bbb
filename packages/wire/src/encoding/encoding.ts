import type { Frame } from "../dialect.ts";

/**
 * A frame that is longer is written in slices of exactly this size, but the last. An encoding whose
 * connections have other writers makes each slice whole in itself, so that they can write in between.
 */
export const SLICE_BYTES = 64 * 1024;

/** How a frame is written to the bytes of a connection. */
export interface Encoding {
  readonly name: string;
  /** Without a seq the frame has no place that a reader could come back to. */
  encode(seq: number | undefined, frame: Frame): Buffer;
}
