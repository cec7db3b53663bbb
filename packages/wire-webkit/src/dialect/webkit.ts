import type { StatelessDialect } from "@turnwire/wire";
import { commandFrom } from "./command.ts";
import { framesFrom, partialInputFrom } from "./frame.ts";

/** Its clients know no attachments: what is larger than this they see as a preview. */
const INLINED_BYTES = 1024 * 1024;

/** The wire of agent-webkit 1.0, as its published clients read and write it. */
export const webkit: StatelessDialect = {
  type: "stateless",
  name: "webkit",
  inlinedBytes: INLINED_BYTES,
  frames: framesFrom,
  commandFrom,
};

/**
 * For clients that asked for partial messages: they build components from tool inputs as these are
 * written. The hook of 0.2.0 never asks, and would show each piece as a block of its own.
 */
export const webkitWithPartialInput: StatelessDialect = {
  type: "stateless",
  name: "webkit-with-partial-input",
  inlinedBytes: INLINED_BYTES,
  frames: (event, sessionId) => {
    const piece = partialInputFrom(event);
    return piece ? [piece] : framesFrom(event, sessionId);
  },
  commandFrom,
};
