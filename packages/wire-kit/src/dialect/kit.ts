import type { StatefulDialect } from "@turnwire/wire";
import { commandFrom } from "./command.ts";
import { framesFrom, openingFrames } from "./projection.ts";

/** Its clients know no attachments: what is larger than this they see as a preview. */
export const INLINED_BYTES = 24 * 1024 * 1024;

/**
 * Claude Agent Kit's messages: those of stream-json, each in a frame that names its session, and
 * what changes of the session itself.
 */
export const kit: StatefulDialect = {
  type: "stateful",
  name: "kit",
  inlinedBytes: INLINED_BYTES,
  frames: (before, event) => framesFrom(before, event, { hasPartialMessages: false }),
  opening: (state) => openingFrames(state, { hasPartialMessages: false }),
  commandFrom,
};

/** The same with messages as they are written, for clients that set `includePartialMessages`. */
export const kitWithPartialMessages: StatefulDialect = {
  ...kit,
  name: "kit-with-partial-messages",
  frames: (before, event) => framesFrom(before, event, { hasPartialMessages: true }),
  opening: (state) => openingFrames(state, { hasPartialMessages: true }),
};
