import { isDeepStrictEqual } from "node:util";
import {
  accepted,
  type CatalogEntry,
  entryOf,
  extendedCatalog,
  limits,
  rejected,
  type Result,
} from "@turnwire/protocol";
import { schemaProblem } from "./schema-check.ts";

/**
 * Which of the entries are new to a catalog, or why it cannot take them. The same entry twice is one.
 * An entry takes the place of what the host offers every session under its name.
 */
export function newEntries(
  catalog: readonly CatalogEntry[],
  entries: readonly CatalogEntry[],
  offered: readonly CatalogEntry[] = [],
): Result<readonly CatalogEntry[]> {
  const added: CatalogEntry[] = [];
  for (const entry of entries) {
    const { name } = entry;
    const known = entryOf(added, name) ?? entryOf(catalog, name);
    if (known && isDeepStrictEqual(known, entry)) continue;
    if (known && !isDeepStrictEqual(known, entryOf(offered, name))) {
      const message = `The catalog has another component ${name}: give this one another name.`;
      return rejected("catalog_conflict", message, { name });
    }
    const refusal = refuseEntry(entry);
    if (refusal) return refusal;
    added.push(entry);
  }
  return refuseSize(extendedCatalog(catalog, added)) ?? accepted(added);
}

/** A catalog that was configured: one that is not valid is a fault of the configuration. */
export function checkedCatalog(entries: readonly CatalogEntry[] = []): readonly CatalogEntry[] {
  const checked = newEntries([], entries);
  if (!checked.ok) throw new TypeError(`The catalog cannot be used. ${checked.error.message}`);
  return checked.value;
}

function refuseEntry(entry: CatalogEntry): ReturnType<typeof rejected> | undefined {
  const { name, surfaces, tools = [], surface_for_state } = entry;
  const used = [...tools.map(({ surface }) => surface), surface_for_state];
  const missing = used.find((surface) => surface !== undefined && !surfaces.includes(surface));
  if (missing !== undefined) {
    return rejected("invalid_catalog", `${name}: ${missing} is none of its surfaces.`, { name });
  }
  const found = schemaProblem(entry.props_schema);
  if (!found) return undefined;
  const { path, problem } = found;
  const place = path === "" ? "props_schema" : `props_schema at ${path}`;
  return rejected("invalid_catalog", `${name}: ${place}: ${problem}.`, { name, path });
}

function refuseSize(catalog: readonly CatalogEntry[]): ReturnType<typeof rejected> | undefined {
  const { catalogEntries, catalogBytes } = limits;
  if (catalog.length > catalogEntries) {
    const message = `A catalog has at most ${catalogEntries} components; this would be ${catalog.length}.`;
    return rejected("invalid_catalog", message, { limit: catalogEntries });
  }
  const bytes = Buffer.byteLength(JSON.stringify(catalog));
  if (bytes <= catalogBytes) return undefined;
  const message = `A catalog has at most ${catalogBytes} bytes of JSON; this would be ${bytes}.`;
  return rejected("invalid_catalog", message, { limit_bytes: catalogBytes });
}
