import { jsonSchemas, type JsonSchema } from "@turnwire/protocol";

/** Events, commands and the state have pages of their own. */
const withOwnPage = new Set(["SessionEvent", "Command", "SessionState"]);

/** The schemas of what routes take and answer, by name. */
export const bodySchemas: ReadonlyMap<string, JsonSchema> = new Map(
  Object.entries(jsonSchemas()).filter(
    ([name, schema]) => !withOwnPage.has(name) && schema.$ref === undefined,
  ),
);

/** A link to the description of a type, as a page of docs/protocol needs it. */
export function linkTo(name: string): string {
  const page = bodySchemas.has(name) ? "bodies.md" : "types.md";
  return `[${name}](${page}#${name.toLowerCase()})`;
}
