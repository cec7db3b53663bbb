import { requestId, requestOf } from "../control.ts";
import type { SessionEventOf } from "../event.ts";
import type { Block } from "../block.ts";
import type { Control, OpenRequest } from "../state.ts";
import { attached } from "./attached.ts";
import { removeFromSurfaces, upsertOnSurface } from "./component.ts";
import type { FoldBatch } from "./fold-batch.ts";
import { ownBlocksFor, pushBlock, replaceBlock } from "./place.ts";
import { withPermission } from "./tool-permission.ts";

export type Resolution = {
  [
    Type in
      | "permission_resolved"
      | "question_resolved"
      | "hook_resolved"
      | "interrupt_resolved"
      | "tool_call_resolved"
      | "budget_resolved"
  ]: SessionEventOf<Type>;
}[
  | "permission_resolved"
  | "question_resolved"
  | "hook_resolved"
  | "interrupt_resolved"
  | "tool_call_resolved"
  | "budget_resolved"];

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
  const id =
    event.type === "interrupt_resolved" ? event.data.interrupt_id : event.data.correlation_id;
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
  if (!("status" in block) || block.status !== "open") return false;
  return block.type === "interrupt" ? block.interrupt_id === id : block.correlation_id === id;
}

function requestBlock(event: OpenRequest, key: string): Block {
  const id = requestId(event);
  const open = { key, status: "open", ...attached(event, "/request") } as const;
  switch (event.type) {
    case "permission_request":
      return { type: "permission", ...open, correlation_id: id, request: event.data };
    case "question_request":
      return { type: "question", ...open, correlation_id: id, request: event.data };
    case "hook_request":
      return { type: "hook", ...open, correlation_id: id, request: event.data };
    case "tool_call_request":
      return { type: "tool_call", ...open, correlation_id: id, request: event.data };
    case "budget_request":
      return { type: "budget", ...open, correlation_id: id, request: event.data };
    case "interrupt":
      return { type: "interrupt", ...open, interrupt_id: id, request: event.data };
  }
}

function resolvedBlock(block: Block, event: Resolution): Block {
  const status = event.data.outcome;
  const { attachments = [] } = attached(event, "/resolution");
  const all = [...(block.attachments ?? []), ...attachments];
  const settled = { status, ...(all.length > 0 && { attachments: all }) };
  if (block.type === "permission" && event.type === "permission_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  if (block.type === "question" && event.type === "question_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  if (block.type === "hook" && event.type === "hook_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  if (block.type === "tool_call" && event.type === "tool_call_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  if (block.type === "budget" && event.type === "budget_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  if (block.type === "interrupt" && event.type === "interrupt_resolved") {
    return { ...block, ...settled, resolution: event.data };
  }
  return block;
}
