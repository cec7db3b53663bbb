import type { CatalogEntry } from "./catalog.ts";

/** The id of the component that shows a tool call. */
export function toolComponentId(toolUseId: string): string {
  return `tool:${toolUseId}`;
}

/** The id of the component that shows a part of the shared state. */
export function stateComponentId(name: string): string {
  return `state:${name}`;
}

/** The entry of that name. */
export function entryOf(catalog: readonly CatalogEntry[], name: string): CatalogEntry | undefined {
  return catalog.find((entry) => entry.name === name);
}

/** The catalog with more entries: each takes the place of an earlier one of its name. */
export function extendedCatalog(
  catalog: readonly CatalogEntry[],
  entries: readonly CatalogEntry[],
): readonly CatalogEntry[] {
  const byName = new Map([...catalog, ...entries].map((entry) => [entry.name, entry]));
  return [...byName.values()];
}
