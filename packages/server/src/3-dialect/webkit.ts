import type { Dialect } from "./dialect.ts";
import { commandFrom } from "./webkit/command.ts";
import { frameFrom } from "./webkit/frame.ts";

/** The wire of agent-webkit 1.0, as its published clients read and write it. */
export const webkit: Dialect = { name: "webkit", frame: frameFrom, commandFrom };
