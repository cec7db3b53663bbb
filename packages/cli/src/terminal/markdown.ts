import { createMarkdownStream, type MarkdownBlock, type UrlRule } from "@turnwire/markdown";
import type { Format } from "./format.ts";
import { layoutBlocks, type LayoutOptions, noProgress } from "./markdown-layout.ts";

/** What a text has gained since it was last looked at. */
export interface MarkdownTextUpdate {
  /** Final, to be printed once. */
  readonly lines: readonly string[];
  /** How the unfinished rest looks by now. */
  readonly live: readonly string[];
}

interface MarkdownTextOptions {
  /** Nothing more is expected of the text. */
  readonly isOver: boolean;
  readonly format: Format;
}

/** Every target is shown as text, never opened or loaded, so that none needs to be refused. */
const showEveryUrl: UrlRule = { link: (url) => url, image: (url) => url };

/** From this length on, a text is continued by a new stream where it can be cut, because a stream slows down with length. */
const LONGEST_STREAM = 65_536;

/** A line that may close a code block. */
const fence = /^ {0,3}(?:`{3,}|~{3,})[ \t]*\r?$/gm;

/** Whether a blank line ends the block for good. It does not end lists, code, nor all HTML, which is a paragraph too. */
function isClosedByBlank(block: MarkdownBlock | undefined): boolean {
  if (block?.type === "heading") return true;
  if (block?.type !== "paragraph") return false;
  const [first] = block.children;
  return first?.type !== "text" || !first.text.trimStart().startsWith("<");
}

/**
 * A growing Markdown text on a terminal, where lines that are printed cannot change any more. It takes the text one
 * whole line at a time, whatever pieces it arrives in, so that the pieces make no difference to what is printed. What
 * only comes after a line (the definition of a reference, a blank line that makes a list loose) does not change it.
 */
export class MarkdownText {
  #stream = createMarkdownStream({ urlRule: showEveryUrl });
  #blocks: readonly MarkdownBlock[] = [];
  #progress = noProgress;
  /** Where the stream's text starts. */
  #start = 0;
  #taken = 0;

  /** Takes the whole text so far. What grows after it was over is a text of its own. */
  update(text: string, { isOver, format }: MarkdownTextOptions): MarkdownTextUpdate {
    const lines: string[] = [];
    for (let end = this.#nextEnd(text); end > 0; end = this.#nextEnd(text)) {
      const isBlank = text.slice(this.#taken, end).trim() === "";
      this.#taken = end;
      this.#blocks = this.#stream.update(text.slice(this.#start, end));
      const isClosed = isBlank && isClosedByBlank(this.#blocks.at(-1));
      lines.push(...this.#print({ format, extent: isClosed ? "all" : "final" }));
      if (isClosed && end - this.#start > LONGEST_STREAM) this.#startStream({ isBlankDue: true });
    }
    if (this.#start === text.length) return { lines, live: [] };
    this.#blocks = this.#stream.update(text.slice(this.#start), { isComplete: isOver });
    if (isOver) {
      this.#taken = text.length;
      lines.push(...this.#print({ format, extent: "all" }));
      this.#startStream({ isBlankDue: false });
      return { lines, live: [] };
    }
    const preview = layoutBlocks(this.#blocks, this.#progress, { format, extent: "preview" });
    return { lines, live: preview.lines };
  }

  /** Where the next line to take ends, 0 where none is whole; lines of open code are taken together. */
  #nextEnd(text: string): number {
    const last = this.#blocks.at(-1);
    if (last?.type !== "code_block" || !last.isOpen) return text.indexOf("\n", this.#taken) + 1;
    fence.lastIndex = this.#taken;
    const closing = fence.exec(text)?.index ?? text.length;
    const before = text.lastIndexOf("\n", closing - 1) + 1;
    return before > this.#taken ? before : text.indexOf("\n", this.#taken) + 1;
  }

  /** The text after what is taken, all of which is printed. */
  #startStream({ isBlankDue }: { isBlankDue: boolean }): void {
    this.#stream = createMarkdownStream({ urlRule: showEveryUrl });
    this.#blocks = [];
    this.#progress = { ...noProgress, isBlankDue };
    this.#start = this.#taken;
  }

  #print(options: LayoutOptions): readonly string[] {
    const { lines, progress } = layoutBlocks(this.#blocks, this.#progress, options);
    this.#progress = progress;
    return lines;
  }
}
