import type { Sequenced } from "./connection-state.ts";
import type { Call } from "./http.ts";
import type { Cursor } from "./stream.ts";

/** Something that can be followed: where it is, and how its frames are read. */
export interface EventFeed<Event extends Sequenced> {
  /** Where it streams as server-sent events. */
  readonly path: readonly string[];
  /** Where it streams over WebSocket. */
  readonly socketPath: readonly string[];
  /** A small question that is answered only to those who may follow. */
  readonly probe: Pick<Call, "path" | "query">;
  query(cursor: Cursor): NonNullable<Call["query"]>;
  headers?(cursor: Cursor): Readonly<Record<string, string>>;
  /** Reads the frames of one stream that begins after the cursor; throws at what is not one of its own. */
  reader(cursor: Cursor): (frame: unknown) => Event;
}
