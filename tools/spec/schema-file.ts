import { jsonSchemas } from "@turnwire/protocol";

/** The files of docs/schema by name, as text. */
export function schemaFiles(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(jsonSchemas()).map(([name, schema]) => [
      `${fileName(name)}.json`,
      `${JSON.stringify(schema, null, 2)}\n`,
    ]),
  );
}

/** `SessionEvent` is in session-event.json. */
function fileName(name: string): string {
  return name.replaceAll(/(?<!^)[A-Z]/g, (letter) => `-${letter}`).toLowerCase();
}
