import type { Frame } from "./dialect.ts";

/** How a frame lies in the bytes of a connection. */
export interface Encoding {
  readonly name: string;
  encode(seq: number, frame: Frame): Buffer;
}
