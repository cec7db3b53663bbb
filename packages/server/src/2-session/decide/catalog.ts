import { type CommandOf, type Control, draft } from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import { newEntries } from "./catalog-check.ts";

/**
 * What is there already, with the same content, is not added again: every tab registers the same.
 * Any runtime may have a catalog, as its tool calls can be shown by components.
 */
export function decideCatalog(
  control: Control,
  { entries }: CommandOf<"add_to_catalog">,
  { by, offeredCatalog }: DecisionContext,
): Decision {
  const added = newEntries(control.catalog, entries, offeredCatalog);
  if (!added.ok) return added;
  if (added.value.length === 0) return { ok: true, events: [], effects: [] };
  return {
    ok: true,
    events: [draft("catalog_updated", { entries: [...added.value], by })],
    effects: [{ type: "catalog_updated" }],
  };
}
