import { type Attachment, type JsonValue, replaceAt, type SessionEvent } from "@turnwire/protocol";
import type { ReadableLog } from "./readable-log.ts";
import { StoreError } from "./store-error.ts";
import { digestOfContent, valueFromContent } from "./stored-part.ts";

/** Where attachments are read. */
export type AttachmentSource = Pick<ReadableLog, "sessionId" | "readAttachment">;

/** The event as it was before its large parts were stored beside the log. */
export async function restoreEvent(
  event: SessionEvent,
  source: AttachmentSource,
): Promise<SessionEvent> {
  const { attachments, ...rest } = event;
  if (!attachments) return event;
  const data = await restoreValue(event.data as JsonValue, attachments, source);
  return { ...rest, data } as SessionEvent;
}

/** A value with its attachments in place of their previews. */
export async function restoreValue(
  bounded: JsonValue,
  attachments: readonly Attachment[],
  source: AttachmentSource,
): Promise<JsonValue> {
  let value = bounded;
  for (const { path, digest, encoding } of attachments) {
    const content = await source.readAttachment(digest);
    if (digestOfContent(content) !== digest) {
      throw new StoreError(
        "corrupt",
        `attachment ${digest} of session ${source.sessionId} is not what was written`,
      );
    }
    value = replaceAt(value, path, valueFromContent(content, encoding));
  }
  return value;
}
