import type { CatalogEntry } from "@turnwire/protocol";

/** What a model is given of a catalog at most, in characters: it reads them with every message. */
const maxText = 24_000;
const maxSchema = 4000;

/**
 * A catalog as a model reads it, a line for each component. What would make it too long is left out: first the
 * schemas of the last components, then what they are for; the reason for a refusal has them.
 */
export function catalogText(catalog: readonly CatalogEntry[]): string {
  let room = maxText - namesOf(catalog).length;
  const lines = catalog.map((entry) => {
    const short = `${headOf(entry)}${entry.description}`;
    const whole = `${short} Properties: ${schemaText(entry)}`;
    const line = [whole, short].find(({ length }) => length <= room) ?? entry.name;
    room -= line.length;
    return line;
  });
  return lines.join("\n");
}

/** The schema of a component's properties, as a model reads it. */
export function schemaText({ props_schema }: CatalogEntry): string {
  const text = JSON.stringify(props_schema);
  return text.length <= maxSchema ? text : `${text.slice(0, maxSchema)}…`;
}

function headOf({ name, surfaces }: CatalogEntry): string {
  return `${name} (${surfaces.join(", ")}): `;
}

function namesOf(catalog: readonly CatalogEntry[]): string {
  return catalog.map(({ name }) => name).join("\n");
}
