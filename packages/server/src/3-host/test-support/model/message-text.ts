import type { ContentBlock } from "@turnwire/protocol";

/** The words of a message, without what else it carries. */
export function messageText(content: readonly ContentBlock[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}
