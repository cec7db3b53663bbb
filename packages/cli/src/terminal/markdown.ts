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

/**
 * A growing Markdown text on a terminal, where lines that are printed cannot change any more. It takes the text one
 * whole line at a time, whatever pieces it arrives in, so that the pieces make no difference to what is printed. What
 * only comes after a line (the definition of a reference, a blank line that makes a list loose) does not change it.
 */
export class MarkdownText {
  #stream = createMarkdownStream({ urlRule: showEveryUrl });
  #progress = noProgress;
  /** Where the text starts that is not over. */
  #start = 0;
  #taken = 0;

  /** Takes the whole text so far. What grows after it was over is a text of its own. */
  update(text: string, { isOver, format }: MarkdownTextOptions): MarkdownTextUpdate {
    const lines: string[] = [];
    if (this.#start === text.length) return { lines, live: [] };
    let end = text.indexOf("\n", this.#taken);
    while (end >= 0) {
      this.#taken = end + 1;
      const blocks = this.#stream.update(text.slice(this.#start, this.#taken));
      lines.push(...this.#print(blocks, { format, extent: "final" }));
      end = text.indexOf("\n", this.#taken);
    }
    const blocks = this.#stream.update(text.slice(this.#start), { isComplete: isOver });
    if (!isOver) {
      const { lines: live } = layoutBlocks(blocks, this.#progress, { format, extent: "preview" });
      return { lines, live };
    }
    lines.push(...this.#print(blocks, { format, extent: "all" }));
    this.#stream = createMarkdownStream({ urlRule: showEveryUrl });
    this.#progress = noProgress;
    this.#start = text.length;
    this.#taken = text.length;
    return { lines, live: [] };
  }

  #print(blocks: readonly MarkdownBlock[], options: LayoutOptions): readonly string[] {
    const { lines, progress } = layoutBlocks(blocks, this.#progress, options);
    this.#progress = progress;
    return lines;
  }
}
