import { isDeepStrictEqual } from "node:util";
import {
  type CatalogEntry,
  type CommandOf,
  type Control,
  draft,
  entryOf,
  rejected,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "../decide.ts";

/** What is there already, with the same content, is not added again: every tab registers the same. */
export function decideCatalog(
  control: Control,
  { entries }: CommandOf<"add_to_catalog">,
  { by }: DecisionContext,
): Decision {
  if (!control.session.capabilities.components) {
    return rejected("capability_missing", "This runtime shows no components.", {
      capability: "components",
    });
  }
  const added: CatalogEntry[] = [];
  for (const entry of entries) {
    const known = entryOf([...control.catalog, ...added], entry.name);
    if (!known) added.push(entry);
    else if (!isDeepStrictEqual(known, entry)) {
      return rejected(
        "catalog_conflict",
        `The catalog has another ${entry.name}: give this component another name.`,
        { name: entry.name },
      );
    }
  }
  if (added.length === 0) return { ok: true, events: [], effects: [] };
  return {
    ok: true,
    events: [draft("catalog_updated", { entries: added, by })],
    effects: [{ type: "catalog_updated" }],
  };
}
