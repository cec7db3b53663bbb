import type { ContentBlock } from "@turnwire/protocol";
import { isSendable } from "./input.ts";

/** Characters: about 100,000 tokens, half of what the smallest context window of Claude has room for. */
const MAX_TEXT_LENGTH = 400_000;
/** Characters of base64: together with a message of 20 MB it stays below the 32 MB that the Messages API takes. */
const MAX_FILE_LENGTH = 8 * 1024 * 1024;
/** From this many on the API takes only small images, and 100 at most. */
const MAX_FILES = 20;
/** What is left of a text that is cut shorter than this says nothing. */
const MIN_TEXT_LENGTH = 200;

export interface BoundContent {
  readonly content: readonly ContentBlock[];
  /** Whether it is all that was given. */
  readonly isWhole: boolean;
}

/**
 * As much of what was said as a message can carry beside another one, in its order. The newest counts
 * first: where there is too much, what came before it is cut, then left out.
 */
export function boundContent(blocks: readonly ContentBlock[]): BoundContent {
  const kept: ContentBlock[] = [];
  let textLeft = MAX_TEXT_LENGTH;
  let filesLeft = MAX_FILE_LENGTH;
  let files = 0;
  let isWhole = true;
  for (const block of blocks.toReversed()) {
    const words = wordsOf(block);
    if (textLeft < Math.min(words.length, MIN_TEXT_LENGTH)) {
      kept.push(text("[What was said before this is left out: it is too long.]"));
      isWhole = false;
      break;
    }
    if (block.type === "text") {
      kept.push(words.length <= textLeft ? block : text(cut(words, textLeft)));
      isWhole &&= words.length <= textLeft;
      textLeft -= Math.min(words.length, textLeft);
      continue;
    }
    const length = block.source.data.length;
    const hasRoom = files < MAX_FILES && length <= filesLeft && words.length <= textLeft;
    const fits = hasRoom && isSendable(block);
    kept.push(fits ? block : text(`[${block.type}: too large]`));
    isWhole &&= fits;
    if (!fits) continue;
    textLeft -= words.length;
    filesLeft -= length;
    files += 1;
  }
  return { content: kept.toReversed(), isWhole };
}

/** What of a block the model reads as text. */
function wordsOf(block: ContentBlock): string {
  if (block.type === "text") return block.text;
  const isText = block.type === "document" && block.source.media_type !== "application/pdf";
  return isText ? Buffer.from(block.source.data, "base64").toString("utf8") : "";
}

/** The beginning and the end of a text. */
function cut(words: string, length: number): string {
  const head = words.slice(0, wholeAt(words, Math.ceil(length / 2)));
  const tail = words.slice(wholeAt(words, words.length - Math.floor(length / 2)));
  const leftOut = words.length - head.length - tail.length;
  return `${head}\n[${leftOut} characters are left out here]\n${tail}`;
}

/** The index, or the one before it where it would cut a surrogate pair in two: the API refuses half of one. */
function wholeAt(words: string, index: number): number {
  const code = words.codePointAt(index - 1);
  return code !== undefined && code > 0xffff ? index - 1 : index;
}

function text(words: string): ContentBlock {
  return { type: "text", text: words };
}
