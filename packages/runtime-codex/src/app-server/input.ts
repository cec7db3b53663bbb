import type { ContentBlock } from "@turnwire/protocol";
import { type TurnInput, RuntimeError } from "@turnwire/runtime";

/** What `turn/start` and `turn/steer` take: Codex refuses images by address and files of any kind. */
export type UserInput =
  | { readonly type: "text"; readonly text: string; readonly text_elements: readonly never[] }
  | { readonly type: "image"; readonly url: string };

/** A person's words as Codex takes them. */
export function inputFrom({ content, context }: Pick<TurnInput, "content" | "context">) {
  const blocks = content.map(blockFromContent);
  return context === undefined
    ? blocks
    : [textInput(`Context from the user interface: ${JSON.stringify(context)}`), ...blocks];
}

function blockFromContent(block: ContentBlock): UserInput {
  switch (block.type) {
    case "text":
      return textInput(block.text);
    case "image":
      return {
        type: "image",
        url: `data:${block.source.media_type};base64,${block.source.data}`,
      };
    case "document":
      throw new RuntimeError("invalid_input", "Codex takes no documents. Send the text instead.");
  }
}

export function textInput(text: string): UserInput {
  return { type: "text", text, text_elements: [] };
}
