import { Command, validate } from "@turnwire/protocol";
import type { StoredEvent } from "@turnwire/log";
import type { StatelessDialect } from "../dialect.ts";

/** Our own language: what the log keeps is what the wire carries, byte for byte. */
export const native = {
  type: "stateless",
  name: "native",
  frames: (event: StoredEvent) => [{ name: event.type, data: event.json }],
  commandFrom: (input: unknown) => validate(Command, input),
} satisfies StatelessDialect;
