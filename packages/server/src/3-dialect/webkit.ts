import type { Dialect } from "./dialect.ts";
import { commandFrom } from "./webkit/command.ts";
import { frameFrom, partialInputFrom } from "./webkit/frame.ts";

/** The wire of agent-webkit 1.0, as its published clients read and write it. */
export const webkit: Dialect = { name: "webkit", frame: frameFrom, commandFrom };

/**
 * For clients that asked for partial messages: they build components from tool inputs as these are
 * written. The hook of 0.2.0 never asks, and would show each piece as a block of its own.
 */
export const webkitWithPartialInput: Dialect = {
  name: "webkit-with-partial-input",
  frame: (event, sessionId) => partialInputFrom(event) ?? frameFrom(event, sessionId),
  commandFrom,
};
