import { requestOf } from "./control.ts";
import type { SessionEventOf } from "../event/event.ts";
import type { Block, RequestBlock } from "../state/block.ts";
import {
  isRequestBlock,
  requestId,
  requestKindOf,
  requestKinds,
  type Resolution,
} from "../state/request-kind.ts";
import type { Control, OpenRequest } from "../state/state.ts";
import { attached } from "./attached.ts";
import { removeFromSurfaces, upsertOnSurface } from "./component.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { ownBlocksFor, pushBlock, replaceBlock } from "./place.ts";
import { withPermission } from "./tool-permission.ts";

/** A request asked again under its id takes the place of the first. */
export function openRequest(batch: FoldBatch, event: OpenRequest, before: Control): void {
  batch.isActivityStale = true;
  const id = requestId(event);
  const isAskedAgain =
    requestOf(before, id) !== undefined &&
    replaceBlock(
      batch,
      (block) => isOpenRequest(block, id),
      (block) => requestBlock(event, block.key),
    );
  if (!isAskedAgain) {
    pushBlock(ownBlocksFor(batch, event), requestBlock(event, batch.nextKey(event.seq)));
  }
  if (event.type === "interrupt" && event.data.surface !== "chat") {
    upsertOnSurface(batch, event.data.surface, {
      component_id: interruptComponentId(id),
      name: event.data.component_name,
      surface: event.data.surface,
      props: event.data.props,
      ...attached(event),
    });
  }
}

/** The first outcome stands: an answer to a request that is not open changes nothing. */
export function resolveRequest(batch: FoldBatch, event: Resolution, before: Control): void {
  const id = requestId(event);
  const request = requestOf(before, id);
  if (!request) return;
  batch.isActivityStale = true;
  replaceBlock(
    batch,
    (block) => isOpenRequest(block, id),
    (block) => resolvedBlock(block, event),
  );
  if (event.type === "permission_resolved" && request.type === "permission_request") {
    settleTool(batch, request, event);
  }
  if (event.type === "interrupt_resolved") removeFromSurfaces(batch, interruptComponentId(id));
}

function settleTool(
  batch: FoldBatch,
  request: SessionEventOf<"permission_request">,
  event: SessionEventOf<"permission_resolved">,
): void {
  const { tool_use_id: id } = request.data;
  if (id === undefined) return;
  replaceBlock(
    batch,
    (block) => block.type === "tool" && block.tool_use_id === id,
    (block) => (block.type === "tool" ? withPermission(block, request, event) : block),
  );
}

/** The id under which an open interrupt is a component on its surface. */
export function interruptComponentId(interruptId: string): string {
  return `interrupt-${interruptId}`;
}

function isOpenRequest(block: Block, id: string): boolean {
  return isRequestBlock(block) && block.status === "open" && requestId(block) === id;
}

/** The fields of a request block are those of its kind in `requestKinds`. */
function requestBlock(event: OpenRequest, key: string): RequestBlock {
  const type = requestKindOf(event);
  return {
    type,
    key,
    status: "open",
    ...attached(event, "/request"),
    [requestKinds[type].id]: requestId(event),
    request: event.data,
  } as RequestBlock;
}

function resolvedBlock(block: Block, event: Resolution): Block {
  if (block.type !== requestKindOf(event)) return block;
  const { attachments = [] } = attached(event, "/resolution");
  const all = [...(block.attachments ?? []), ...attachments];
  const settled = { status: event.data.outcome, ...(all.length > 0 && { attachments: all }) };
  return { ...block, ...settled, resolution: event.data } as RequestBlock;
}
