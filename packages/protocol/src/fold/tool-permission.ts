import { isObject } from "@turnwire/base";
import type { SessionEventOf } from "../event/event.ts";
import type { JsonValue } from "../json/json.ts";
import type { HasAttachments, ToolBlock, ToolPermission } from "../state/block.ts";
import { attachedWithin } from "./attached.ts";

/** The block of a tool whose permission request has ended. After an edit it has what ran. */
export function withPermission(
  block: ToolBlock,
  request: SessionEventOf<"permission_request">,
  event: SessionEventOf<"permission_resolved">,
): ToolBlock {
  const { correlation_id, outcome, allowed, message, updated_input, updated_permissions, by } =
    event.data;
  const original = request.data.tool_input;
  const isEdited = allowed && updated_input !== undefined;
  const permission: ToolPermission = {
    correlation_id,
    outcome,
    allowed,
    ...(message !== undefined && { message }),
    ...(isEdited && { original_input: original }),
    ...(updated_permissions !== undefined && { updated_permissions }),
    ...(by !== undefined && { by }),
  };
  const settled = { ...block, permission, ...(allowed && { started_at: event.ts }) };
  if (!isEdited) return settled;
  const { attachments: _earlier, ...known } = withInput(settled, original, updated_input);
  return { ...known, ...editedAttachments(block, request, event) };
}

const facts = ["command", "file_path", "pattern", "search_path"] as const;

/** The block with another input; a fact that repeats a member of the first input follows that member. */
export function withInput(block: ToolBlock, original: JsonValue, updated: JsonValue): ToolBlock {
  const next: { -readonly [Name in keyof ToolBlock]: ToolBlock[Name] } = {
    ...block,
    input: updated,
  };
  for (const fact of facts) {
    const member = memberWith(original, block[fact]);
    if (member === undefined) continue;
    const value = isObject(updated) ? updated[member] : undefined;
    if (typeof value === "string") next[fact] = value;
    else delete next[fact];
  }
  return next;
}

function memberWith(input: JsonValue, value: string | undefined): string | undefined {
  if (value === undefined || !isObject(input)) return undefined;
  return Object.keys(input).find((name) => input[name] === value);
}

/** The parts of both inputs that are stored beside the log, where the block has them now. */
function editedAttachments(
  block: ToolBlock,
  request: HasAttachments,
  event: HasAttachments,
): HasAttachments {
  const all = [
    ...(block.attachments ?? []).filter(({ path }) => !/^\/(input|permission)(\/|$)/.test(path)),
    ...(attachedWithin(event, "/updated_input", "/input").attachments ?? []),
    ...(attachedWithin(request, "/tool_input", "/permission/original_input").attachments ?? []),
  ];
  return all.length > 0 ? { attachments: all } : {};
}
