import type { ContentBlock } from "../part/content.ts";
import type { TextBlock } from "./block.ts";
import type { Message } from "./state.ts";

/** The text of what a person said, images and documents left out. */
export function textFromContent(content: readonly ContentBlock[]): string {
  return content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n\n");
}

/**
 * The text of a message as one: what came after a tool or in another message of the agent
 * begins a new paragraph.
 */
export function textOf(message: Message): string {
  if (message.role === "user") return textFromContent(message.content);
  let text = "";
  let before: TextBlock | undefined;
  for (const block of message.blocks) {
    if (block.type === "text") {
      const goesOn = before?.message_id === block.message_id;
      if (text !== "" && !text.endsWith("\n") && !goesOn) text += "\n\n";
      text += block.text;
    }
    before = block.type === "text" ? block : undefined;
  }
  return text;
}
