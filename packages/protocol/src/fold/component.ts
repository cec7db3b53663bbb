import type { SessionEventOf } from "../event.ts";
import type { Surface } from "../event/component.ts";
import type { Block, Component, ComponentBlock, SessionState } from "../state.ts";
import { attached, attachedAfter } from "./attached.ts";
import type { Draft } from "./draft.ts";
import { blockAt, findBlock, ownBlocksFor, pushBlock } from "./place.ts";

type Place = Exclude<Surface, "chat">;

/** What a component shows. */
type ShownProps = Pick<Component, "props" | "attachments">;

function ownProps(event: SessionEventOf<"component_update">): ShownProps {
  return { props: event.data.props, ...attached(event) };
}

function merged(earlier: ShownProps, event: SessionEventOf<"component_update">): ShownProps {
  const { props } = event.data;
  const next = { fields: props, ...attached(event) };
  return {
    props: { ...earlier.props, ...props },
    // A path is /props/name/…
    ...attachedAfter(earlier.attachments, next, 1),
  };
}

/** A component is in one place at a time: naming another surface moves it there. */
export function updateComponent(draft: Draft, event: SessionEventOf<"component_update">): void {
  const { component_id, surface } = event.data;
  const inChat = chatComponent(draft, component_id);
  const onSurface = surfaceComponent(draft, component_id);
  const earlier = inChat ?? onSurface;
  const shown = earlier && event.data.merge ? merged(earlier, event) : ownProps(event);
  if (surface === "chat") {
    removeFromSurfaces(draft, component_id);
    putInChat(draft, event, shown);
  } else {
    if (inChat) removeFromChat(draft, component_id);
    upsertOnSurface(draft, surface, { component_id, name: event.data.name, surface, ...shown });
  }
}

export function removeComponent(draft: Draft, event: SessionEventOf<"component_remove">): void {
  removeFromSurfaces(draft, event.data.component_id);
  removeFromChat(draft, event.data.component_id);
}

/** Puts a component on a surface, in its old place there if it has one. */
export function upsertOnSurface(draft: Draft, surface: Place, component: Component): void {
  const components = draft.surfaces[surface];
  const index = components?.findIndex((other) => other.component_id === component.component_id);
  if (index !== undefined && index >= 0) {
    draft.surfaces = { ...draft.surfaces, [surface]: components.with(index, component) };
    return;
  }
  removeFromSurfaces(draft, component.component_id);
  draft.surfaces = {
    ...draft.surfaces,
    [surface]: [...(draft.surfaces[surface] ?? []), component],
  };
}

export function removeFromSurfaces(draft: Draft, componentId: string): void {
  if (!surfaceComponent(draft, componentId)) return;
  const surfaces: Record<string, readonly Component[]> = {};
  for (const [surface, components] of Object.entries(draft.surfaces)) {
    surfaces[surface] = components.some((other) => other.component_id === componentId)
      ? components.filter((other) => other.component_id !== componentId)
      : components;
  }
  draft.surfaces = { ...draft.surfaces, ...surfaces };
}

/** No component anywhere. */
export function emptySurfaces(): SessionState["surfaces"] {
  return { sidebar: [], panel: [], overlay: [], canvas: [] };
}

function surfaceComponent(draft: Draft, componentId: string): Component | undefined {
  return Object.values(draft.surfaces)
    .flat()
    .find((component) => component.component_id === componentId);
}

function chatComponent(draft: Draft, componentId: string): ComponentBlock | undefined {
  const path = findBlock(draft, (block) => isComponent(block, componentId));
  const block = path && blockAt(draft, path);
  return block?.type === "component" ? block : undefined;
}

function putInChat(
  draft: Draft,
  event: SessionEventOf<"component_update">,
  shown: ShownProps,
): void {
  const { component_id, name, tool_use_id } = event.data;
  const path = findBlock(draft, (block) => isComponent(block, component_id));
  const blocks = path ? draft.ownBlocksAround(path) : ownBlocksFor(draft, event);
  const index = path?.indexes.at(-1) ?? -1;
  const earlier = blocks[index];
  const toolUseId =
    tool_use_id ?? (earlier?.type === "component" ? earlier.tool_use_id : undefined);
  const block: ComponentBlock = {
    type: "component",
    key: earlier?.key ?? draft.nextKey(event.seq),
    component_id,
    name,
    ...shown,
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
  };
  if (earlier) blocks[index] = block;
  else pushBlock(blocks, block);
}

function removeFromChat(draft: Draft, componentId: string): void {
  const path = findBlock(draft, (block) => isComponent(block, componentId));
  if (path) draft.ownBlocksAround(path).splice(path.indexes.at(-1) ?? -1, 1);
}

function isComponent(block: Block, componentId: string): boolean {
  return block.type === "component" && block.component_id === componentId;
}
