import type { SessionView } from "@turnwire/client";
import { toolView, type ToolView } from "@turnwire/client/binding";
import type { Block, CatalogEntry, ToolBlock } from "@turnwire/protocol";
import { useMemo } from "react";
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
  return useMemo(() => {
    const has = (name: string): boolean => registry.find(name) !== undefined;
    const known = new WeakMap<ToolBlock, ToolView>();
    return (block, around) => {
      const view = known.get(block) ?? toolView(block, { catalog, has }, around);
      // Until its component is among the blocks around it, the tool use represents it.
      if (block.ui_tool === undefined || view.type !== "component") known.set(block, view);
      return view;
    };
  }, [catalog, registry]);
}
