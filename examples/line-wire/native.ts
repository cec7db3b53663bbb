import { Command, validate } from "@turnwire/protocol";
import type { StatelessDialect } from "@turnwire/wire";

export const native: StatelessDialect = {
  type: "stateless",
  name: "native",
  frames: (event) => [{ name: event.type, data: event.json }],
  commandFrom: (input) => validate(Command, input),
};
