import type { ContentBlock, HasAttachments, JsonValue } from "@turnwire/protocol";
import { type AttachmentSource, restoreValue } from "@turnwire/log";

interface HasContent extends HasAttachments {
  readonly content: readonly ContentBlock[];
}

const CONTENT = "/content";

/**
 * A message with all of its content, for clients that know no attachments. It stays as it is where
 * that is larger than `maxBytes`, or cannot be read any more.
 */
export async function withWholeContent<Message extends HasContent>(
  message: Message,
  log: AttachmentSource,
  maxBytes: number,
): Promise<Message> {
  const parts = (message.attachments ?? [])
    .filter(({ path }) => path.startsWith(`${CONTENT}/`))
    .map((part) => ({ ...part, path: part.path.slice(CONTENT.length) }));
  // Base64 is a third longer than its bytes.
  const bytes = parts.reduce((sum, { size }) => sum + size * (4 / 3), 0);
  if (parts.length === 0 || bytes > maxBytes) return message;
  try {
    const bounded = message.content as unknown as JsonValue;
    // The parts are those that the content had when it was a ContentBlock[].
    const content = (await restoreValue(bounded, parts, log)) as unknown as ContentBlock[];
    return { ...message, content };
  } catch {
    return message;
  }
}
