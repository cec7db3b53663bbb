import {
  type ContentBlock,
  type HasAttachments,
  type JsonValue,
  replaceAt,
} from "@turnwire/protocol";
import { type ReadableLog, valueFromContent } from "@turnwire/log";

interface HasContent extends HasAttachments {
  readonly content: readonly ContentBlock[];
}

/**
 * A message with all of its content, for clients that know no attachments. It stays as it is where
 * that is larger than `maxBytes`, or cannot be read any more.
 */
export async function withWholeContent<Message extends HasContent>(
  message: Message,
  log: Pick<ReadableLog, "readAttachment">,
  maxBytes: number,
): Promise<Message> {
  const parts = (message.attachments ?? []).filter(({ path }) => path.startsWith("/content/"));
  // Base64 is a third longer than its bytes.
  const bytes = parts.reduce((sum, { size }) => sum + size * (4 / 3), 0);
  if (parts.length === 0 || bytes > maxBytes) return message;
  try {
    let content = message.content as unknown as JsonValue;
    for (const { path, digest, encoding } of parts) {
      const bytesOfPart = await log.readAttachment(digest);
      const value = valueFromContent(bytesOfPart, encoding);
      content = replaceAt(content, path.slice("/content".length), value);
    }
    // The parts are those that the content had when it was a ContentBlock[].
    return { ...message, content: content as unknown as readonly ContentBlock[] };
  } catch {
    return message;
  }
}
