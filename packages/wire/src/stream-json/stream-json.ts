import type { StatefulDialect } from "../dialect.ts";
import { commandFrom } from "./command.ts";
import { openingFrames } from "./opening.ts";
import { framesFrom } from "./projection.ts";

/** Its clients know no attachments: what is larger than this they see as a preview. */
const INLINED_BYTES = 1024 * 1024;

/**
 * Any session in the messages of Claude's stream-json, as `claude -p --output-format stream-json
 * --verbose --include-partial-messages --replay-user-messages` prints them (CLI 2.1).
 */
export const streamJson: StatefulDialect = {
  type: "stateful",
  name: "stream-json",
  inlinedBytes: INLINED_BYTES,
  frames: framesFrom,
  opening: openingFrames,
  commandFrom,
};
