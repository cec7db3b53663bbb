import type { Attachment } from "../part/attachment.ts";
import { pointerNames } from "../json/json-pointer.ts";
import type { HasAttachments } from "../state/block.ts";

/** An event's attachments for the object that takes over its data, under `prefix` there. */
export function attached({ attachments }: HasAttachments, prefix = ""): HasAttachments {
  if (attachments === undefined) return {};
  if (prefix === "") return { attachments };
  return { attachments: attachments.map((one) => ({ ...one, path: prefix + one.path })) };
}

/** The attachments within one part of an event's data, for the object that takes over that part. */
export function attachedWithin(
  { attachments = [] }: HasAttachments,
  part: string,
  prefix: string,
): HasAttachments {
  const within = attachments.filter(({ path }) => path === part || path.startsWith(`${part}/`));
  if (within.length === 0) return {};
  return {
    attachments: within.map((one) => ({ ...one, path: prefix + one.path.slice(part.length) })),
  };
}

/**
 * The attachments of an object of which some fields are replaced: those of the fields that stay,
 * and those of the new ones. `depth` is the index of the path at which name of a path is the field's.
 */
export function attachedAfter(
  earlier: readonly Attachment[] | undefined,
  next: { readonly fields: object } & HasAttachments,
  depth = 0,
): HasAttachments {
  if (earlier === undefined) return next.attachments ? { attachments: next.attachments } : {};
  const kept = earlier.filter(
    ({ path }) => !Object.hasOwn(next.fields, pointerNames(path)[depth] ?? ""),
  );
  const attachments = [...kept, ...(next.attachments ?? [])];
  return attachments.length > 0 ? { attachments } : {};
}
