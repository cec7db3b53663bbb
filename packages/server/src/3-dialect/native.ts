import { Command } from "@turnwire/protocol";
import type { Dialect } from "./dialect.ts";
import { validate } from "./validate.ts";

/** Our own language: what the log keeps is what the wire carries, byte for byte. */
export const native: Dialect = {
  name: "native",
  frame: (event) => ({ name: event.type, data: event.json }),
  commandFrom: (input) => validate(Command, input),
};
