import { isObject } from "@turnwire/base";
import {
  stateComponentId,
  valueAt,
  type Block,
  type CatalogEntry,
  type Component,
  type JsonObject,
  type JsonValue,
  type Message,
  type SessionState,
  type Surface,
  type ToolBlock,
} from "@turnwire/protocol";
import { placedFrom, type PlacedComponent } from "./placed-component.ts";
import { earlyComponent, mappedComponent, type ToolViewContext } from "./tool-view.ts";

type ShownState = Pick<SessionState, "surfaces" | "catalog" | "shared" | "messages">;

export type SurfaceList = (session: ShownState, surface: Surface) => readonly PlacedComponent[];

/**
 * Lists what is on a surface: what was put there, then the components of parts of the shared state, then the newest
 * call of each tool that the catalog shows there. The chat has only the second: the others are blocks of messages.
 * A list, and a component, that did not change is the same object as before.
 */
export function createSurfaceList(has: (name: string) => boolean): SurfaceList {
  const known = new Map<Surface, readonly PlacedComponent[]>();
  const placedOf = new WeakMap<Component, PlacedComponent>();
  const fromState = createStateComponents(has);
  const fromTools = createToolComponents(has);
  const placed = (component: Component): PlacedComponent => {
    const made = placedOf.get(component) ?? placedFrom(component, component.surface);
    placedOf.set(component, made);
    return made;
  };
  return (session, surface) => {
    const own = surface === "chat" ? [] : session.surfaces[surface].map(placed);
    const state = fromState(session).filter((one) => one.surface === surface);
    const tools =
      surface === "chat" ? [] : fromTools(session).filter((one) => one.surface === surface);
    const next = state.length + tools.length === 0 ? own : [...own, ...state, ...tools];
    const before = known.get(surface);
    if (before && isSameList(before, next)) return before;
    known.set(surface, next);
    return next;
  };
}

/** A function of a session that answers at once where the parts it reads are the same as the last time. */
function remembered<Result>(
  partsOf: (session: ShownState) => readonly unknown[],
  compute: (session: ShownState) => Result,
): (session: ShownState) => Result {
  let last: { readonly parts: readonly unknown[]; readonly result: Result } | undefined;
  return (session) => {
    const parts = partsOf(session);
    if (!last || !isSameList(last.parts, parts)) last = { parts, result: compute(session) };
    return last.result;
  };
}

function createStateComponents(has: (name: string) => boolean) {
  const known = new Map<string, { readonly value: JsonValue; readonly placed: PlacedComponent }>();
  const placedOf = (entry: CatalogEntry, shared: JsonValue): PlacedComponent[] => {
    const surface = entry.surface_for_state ?? entry.surfaces[0];
    if (entry.state_key === undefined || !surface || !has(entry.name)) return [];
    const value = valueAt(shared, entry.state_key) ?? null;
    if (value === null) return [];
    const earlier = known.get(entry.name);
    if (earlier?.value === value && earlier.placed.surface === surface) return [earlier.placed];
    const component_id = stateComponentId(entry.name);
    const placed = { component_id, name: entry.name, surface, props: propsFrom(value) };
    known.set(entry.name, { value, placed });
    return [placed];
  };
  return remembered(
    ({ catalog, shared }) => [catalog, shared],
    ({ catalog, shared }) => catalog.flatMap((entry) => placedOf(entry, shared)),
  );
}

function propsFrom(value: JsonValue): JsonObject {
  return isObject(value) ? value : { value };
}

function createToolComponents(has: (name: string) => boolean) {
  /** The tool uses of a message that a surface may show; messages do not change but are replaced. */
  let shownIn = new WeakMap<Message, readonly ToolBlock[]>();
  let placedOf = new WeakMap<ToolBlock, PlacedComponent>();
  let catalog: readonly CatalogEntry[] | undefined;
  const place = (block: ToolBlock, context: ToolViewContext): PlacedComponent | undefined => {
    const placed =
      placedOf.get(block) ?? mappedComponent(block, context) ?? earlyComponent(block, context);
    if (placed) placedOf.set(block, placed);
    return placed;
  };
  return remembered(
    (session) => [session.catalog, session.messages],
    (session) => {
      if (session.catalog !== catalog) {
        catalog = session.catalog;
        shownIn = new WeakMap();
        placedOf = new WeakMap();
      }
      const tools = toolsOfSurfaces(session.catalog);
      const context = { catalog: session.catalog, has };
      const newest = new Map<string, PlacedComponent>();
      for (const message of session.messages) {
        if (message.role === "user") continue;
        const blocks = shownIn.get(message) ?? toolsIn(message.blocks, tools);
        shownIn.set(message, blocks);
        for (const block of blocks) {
          const placed = place(block, context);
          if (!placed || placed.surface === "chat") continue;
          // Later entries take the last place.
          const key = block.ui_tool === undefined ? block.tool : placed.component_id;
          newest.delete(key);
          newest.set(key, placed);
        }
      }
      return [...newest.values()];
    },
  );
}

/** The tools that the catalog shows outside the chat. */
function toolsOfSurfaces(catalog: readonly CatalogEntry[]): ReadonlySet<string> {
  return new Set(
    catalog.flatMap(({ tools = [], surfaces }) =>
      tools.filter(({ surface = surfaces[0] }) => surface !== "chat").map(({ tool }) => tool),
    ),
  );
}

function toolsIn(blocks: readonly Block[], tools: ReadonlySet<string>): readonly ToolBlock[] {
  return blocks.flatMap((block): readonly ToolBlock[] => {
    if (block.type === "subagent") return toolsIn(block.blocks, tools);
    if (block.type !== "tool") return [];
    return tools.has(block.tool) || block.status === "preparing" ? [block] : [];
  });
}

function isSameList(left: readonly unknown[], right: readonly unknown[]): boolean {
  return left.length === right.length && left.every((one, index) => one === right[index]);
}
