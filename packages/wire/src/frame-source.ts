import type { FollowEnd } from "./connection.ts";
import type { Dialect } from "./dialect.ts";
import type { Encoding } from "./encoding/encoding.ts";

/** Encoded frames, whole, and the position of the last of them. */
export interface FrameRun {
  readonly bytes: Buffer;
  readonly last: number;
}

/** The frames after a reader's position. gone: the next frame cannot be had any more. */
export type FrameRead =
  | ({ readonly type: "frames" } & FrameRun)
  | { readonly type: "caught_up" }
  | { readonly type: "gone" };

/** Encoded frames for readers that each keep their own position. */
export interface FrameSource {
  /** At once where memory has them. */
  after(position: number): FrameRead | Promise<FrameRead>;
  /** Calls back when there are more, or when there will be none; the listener answers with the position it has come to. */
  subscribe(listener: () => number): () => void;
  /** Why no more will come; undefined while more may. */
  readonly end: FollowEnd | undefined;
}

/** A dialect and the encoding of its frames in bytes. */
export interface WireFormat {
  readonly dialect: Dialect;
  readonly encoding: Encoding;
}

/** A reader's hold on frames that are shared with others. */
export interface FrameLease {
  readonly frames: FrameSource;
  release(): void;
}
