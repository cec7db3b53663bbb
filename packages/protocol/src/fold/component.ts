import { isObject } from "@turnwire/base";
import { applyJsonPatch } from "../json/apply-json-patch.ts";
import type { SessionEventOf } from "../event/event.ts";
import type { Surface } from "../part/surface.ts";
import type { JsonPatchOperation } from "../json/json-patch.ts";
import type { Block, ComponentBlock } from "../state/block.ts";
import type { Component, SessionState } from "../state/state.ts";
import { attached, attachedAfter } from "./attached.ts";
import type { BlockPath, FoldBatch } from "./fold-batch.ts";
import { blockAt, findBlock, ownBlocksFor, pushBlock } from "./place.ts";

type Place = Exclude<Surface, "chat">;

/** The properties and attachments of a component. */
export type ShownProps = Pick<Component, "props" | "attachments">;

/** A component's properties and attachments after an update; undefined where patches do not apply to them. */
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
  const { component_id, name, surface } = event.data;
  const onSurface = findOnSurface(batch, component_id);
  const inChat = onSurface ? undefined : findInChat(batch, component_id);
  const shown = propsAfter(onSurface?.component ?? inChat?.block, event);
  if (!shown) return;
  if (surface === "chat") {
    if (onSurface) removeAt(batch, onSurface);
    putInChat(batch, event, { shown, inChat });
  } else {
    if (inChat) removeBlockAt(batch, inChat.path);
    putOnSurface(batch, { component_id, name, surface, ...shown }, onSurface);
  }
}

export function removeComponent(batch: FoldBatch, event: SessionEventOf<"component_remove">): void {
  const { component_id } = event.data;
  removeFromSurfaces(batch, component_id);
  const inChat = findInChat(batch, component_id);
  if (inChat) removeBlockAt(batch, inChat.path);
}

/** Puts a component on a surface, in its old place there if it has one. */
export function upsertOnSurface(batch: FoldBatch, surface: Place, component: Component): void {
  putOnSurface(batch, { ...component, surface }, findOnSurface(batch, component.component_id));
}

export function removeFromSurfaces(batch: FoldBatch, componentId: string): void {
  const found = findOnSurface(batch, componentId);
  if (found) removeAt(batch, found);
}

/** No component anywhere. */
export function emptySurfaces(): SessionState["surfaces"] {
  return { sidebar: [], panel: [], overlay: [], canvas: [] };
}

interface SurfacePlace {
  readonly surface: Place;
  readonly index: number;
  readonly component: Component;
}

interface ChatPlace {
  readonly path: BlockPath;
  readonly block: ComponentBlock;
}

function findOnSurface({ surfaces }: FoldBatch, componentId: string): SurfacePlace | undefined {
  // A newer server may have surfaces that this build does not know.
  for (const surface of Object.keys(surfaces) as Place[]) {
    const components = surfaces[surface];
    for (let index = 0; index < components.length; index++) {
      const component = components[index];
      if (component?.component_id === componentId) return { surface, index, component };
    }
  }
  return undefined;
}

function findInChat(batch: FoldBatch, componentId: string): ChatPlace | undefined {
  const path = findBlock(batch, (block) => isComponent(block, componentId));
  const block = path && blockAt(batch, path);
  return path && block?.type === "component" ? { path, block } : undefined;
}

function putOnSurface(
  batch: FoldBatch,
  component: Component & { readonly surface: Surface },
  earlier: SurfacePlace | undefined,
): void {
  const { surface } = component;
  if (surface === "chat") return;
  if (earlier?.surface === surface) {
    batch.ownSurface(surface)[earlier.index] = component;
    return;
  }
  if (earlier) removeAt(batch, earlier);
  batch.ownSurface(surface).push(component);
}

function removeAt(batch: FoldBatch, { surface, index }: SurfacePlace): void {
  batch.ownSurface(surface).splice(index, 1);
}

function putInChat(
  batch: FoldBatch,
  event: SessionEventOf<"component_update">,
  { shown, inChat }: { shown: ShownProps; inChat: ChatPlace | undefined },
): void {
  const { component_id, name, tool_use_id } = event.data;
  const earlier = inChat?.block;
  const blocks = inChat ? batch.ownBlocksAround(inChat.path) : ownBlocksFor(batch, event);
  const toolUseId = tool_use_id ?? earlier?.tool_use_id;
  const block: ComponentBlock = {
    type: "component",
    key: earlier?.key ?? batch.nextKey(event.seq),
    component_id,
    name,
    ...shown,
    ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
  };
  if (inChat) blocks[inChat.path.indexes.at(-1) ?? -1] = block;
  else pushBlock(blocks, block);
}

function removeBlockAt(batch: FoldBatch, path: BlockPath): void {
  batch.ownBlocksAround(path).splice(path.indexes.at(-1) ?? -1, 1);
}

function isComponent(block: Block, componentId: string): boolean {
  return block.type === "component" && block.component_id === componentId;
}
