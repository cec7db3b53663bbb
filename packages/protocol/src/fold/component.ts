import { isObject } from "@turnwire/base";
import { applyJsonPatch } from "../apply-json-patch.ts";
import type { SessionEventOf } from "../event.ts";
import type { Surface } from "../event/component.ts";
import type { JsonPatchOperation } from "../json-patch.ts";
import type { Block, ComponentBlock } from "../block.ts";
import type { Component, SessionState } from "../state.ts";
import { attached, attachedAfter } from "./attached.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { blockAt, findBlock, ownBlocksFor, pushBlock } from "./place.ts";

type Place = Exclude<Surface, "chat">;

/** What a component shows. */
export type ShownProps = Pick<Component, "props" | "attachments">;

/** What a component shows after an update; undefined where patches have nothing that they apply to. */
export function propsAfter(
  earlier: ShownProps | undefined,
  event: SessionEventOf<"component_update">,
): ShownProps | undefined {
  if (event.data.patches) return earlier && patched(earlier, event.data.patches);
  return earlier && event.data.merge ? merged(earlier, event) : ownProps(event);
}

/** Properties after patches; undefined where they do not apply, or leave no object. */
function patched(
  earlier: ShownProps,
  patches: readonly JsonPatchOperation[],
): ShownProps | undefined {
  const result = applyJsonPatch(earlier.props, patches);
  if (!result.ok || !isObject(result.value)) return undefined;
  const changed = patches.flatMap((operation) =>
    operation.op === "test" ? [] : [`/props${operation.path}`],
  );
  const attachments = earlier.attachments?.filter(
    ({ path }) => !changed.some((place) => path === place || path.startsWith(`${place}/`)),
  );
  return { props: result.value, ...(attachments && attachments.length > 0 && { attachments }) };
}

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
export function updateComponent(batch: FoldBatch, event: SessionEventOf<"component_update">): void {
  const { component_id, surface } = event.data;
  const inChat = chatComponent(batch, component_id);
  const onSurface = surfaceComponent(batch, component_id);
  const earlier = inChat ?? onSurface;
  const shown = propsAfter(earlier, event);
  if (!shown) return;
  if (surface === "chat") {
    removeFromSurfaces(batch, component_id);
    putInChat(batch, event, shown);
  } else {
    if (inChat) removeFromChat(batch, component_id);
    upsertOnSurface(batch, surface, { component_id, name: event.data.name, surface, ...shown });
  }
}

export function removeComponent(batch: FoldBatch, event: SessionEventOf<"component_remove">): void {
  removeFromSurfaces(batch, event.data.component_id);
  removeFromChat(batch, event.data.component_id);
}

/** Puts a component on a surface, in its old place there if it has one. */
export function upsertOnSurface(batch: FoldBatch, surface: Place, component: Component): void {
  const components = batch.surfaces[surface];
  const index = components?.findIndex((other) => other.component_id === component.component_id);
  if (index !== undefined && index >= 0) {
    batch.surfaces = { ...batch.surfaces, [surface]: components.with(index, component) };
    return;
  }
  removeFromSurfaces(batch, component.component_id);
  batch.surfaces = {
    ...batch.surfaces,
    [surface]: [...(batch.surfaces[surface] ?? []), component],
  };
}

export function removeFromSurfaces(batch: FoldBatch, componentId: string): void {
  if (!surfaceComponent(batch, componentId)) return;
  const surfaces: Record<string, readonly Component[]> = {};
  for (const [surface, components] of Object.entries(batch.surfaces)) {
    surfaces[surface] = components.some((other) => other.component_id === componentId)
      ? components.filter((other) => other.component_id !== componentId)
      : components;
  }
  batch.surfaces = { ...batch.surfaces, ...surfaces };
}

/** No component anywhere. */
export function emptySurfaces(): SessionState["surfaces"] {
  return { sidebar: [], panel: [], overlay: [], canvas: [] };
}

function surfaceComponent(batch: FoldBatch, componentId: string): Component | undefined {
  return Object.values(batch.surfaces)
    .flat()
    .find((component) => component.component_id === componentId);
}

function chatComponent(batch: FoldBatch, componentId: string): ComponentBlock | undefined {
  const path = findBlock(batch, (block) => isComponent(block, componentId));
  const block = path && blockAt(batch, path);
  return block?.type === "component" ? block : undefined;
}

function putInChat(
  batch: FoldBatch,
  event: SessionEventOf<"component_update">,
  shown: ShownProps,
): void {
  const { component_id, name, tool_use_id } = event.data;
  const path = findBlock(batch, (block) => isComponent(block, component_id));
  const blocks = path ? batch.ownBlocksAround(path) : ownBlocksFor(batch, event);
  const index = path?.indexes.at(-1) ?? -1;
  const earlier = blocks[index];
  const toolUseId =
    tool_use_id ?? (earlier?.type === "component" ? earlier.tool_use_id : undefined);
  const block: ComponentBlock = {
    type: "component",
    key: earlier?.key ?? batch.nextKey(event.seq),
    component_id,
    name,
    ...shown,
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
  };
  if (earlier) blocks[index] = block;
  else pushBlock(blocks, block);
}

function removeFromChat(batch: FoldBatch, componentId: string): void {
  const path = findBlock(batch, (block) => isComponent(block, componentId));
  if (path) batch.ownBlocksAround(path).splice(path.indexes.at(-1) ?? -1, 1);
}

function isComponent(block: Block, componentId: string): boolean {
  return block.type === "component" && block.component_id === componentId;
}
