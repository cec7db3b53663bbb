import type { SessionView } from "@turnwire/client";
import { toolView, type ToolView } from "@turnwire/client/binding";
import type { Block, CatalogEntry, ToolBlock } from "@turnwire/protocol";
import { useCallback } from "react";
import { useRegistry } from "./live-registry.ts";
import { useSessionSelector } from "./session-selector.ts";

/** The components that the agent of this session knows of. */
export function useCatalog(): readonly CatalogEntry[] {
  return useSessionSelector(catalogOf);
}

function catalogOf({ session }: SessionView): readonly CatalogEntry[] {
  return session.catalog;
}

/** How the chat shows a tool use; `around` are the blocks that it stands among. Another function when that may change. */
export type ToolViewOf = (block: ToolBlock, around?: readonly Block[]) => ToolView;

export function useToolView(): ToolViewOf {
  const catalog = useCatalog();
  const registry = useRegistry();
  return useCallback(
    (block, around) => {
      const has = (name: string): boolean => registry.find(name) !== undefined;
      return toolView(block, { catalog, has }, around);
    },
    [catalog, registry],
  );
}
