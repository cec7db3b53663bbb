import type { ContentBlock } from "@turnwire/protocol";
import type { Attachment } from "./attachment.ts";

/** The files of a withdrawn message, as attachments again. */
export function attachmentsFromContent(
  messageId: string,
  content: readonly ContentBlock[],
): readonly Attachment[] {
  return content.flatMap((block, index) => {
    if (block.type === "text") return [];
    const name = block.type === "document" ? (block.title ?? "Document") : "Image";
    return [{ id: `${messageId} ${index}`, name, bytes: decodedBytes(block.source.data), block }];
  });
}

/** Four characters of base64 carry three bytes. */
function decodedBytes(data: string): number {
  return Math.floor((data.length * 3) / 4);
}
