import { closeContainers, closeLeaf } from "./block/close.ts";
import { closeOpenEnd, isUndecided } from "./block/open-end.ts";
import { type BlockState, createBlockState, forkBlockState } from "./block/open-block.ts";
import { addLine } from "./block/step.ts";
import { DefinitionTable } from "./tree/definition-table.ts";
import type { MarkdownBlock } from "./tree/node.ts";
import { Resolver } from "./resolve.ts";
import { createUrlRule, type UrlRule } from "./tree/url-rule.ts";

export interface MarkdownOptions {
  /** Which links and images are let through; the rule of `createUrlRule()` when left out. */
  readonly urlRule?: UrlRule;
}

export interface MarkdownUpdate {
  /** Nothing more will come: the text is read as it stands. */
  readonly isComplete?: boolean;
}

/** A text that grows, as blocks. */
export interface MarkdownStream {
  /** The blocks of the whole text so far; those that are finished are the same objects as before. */
  update(text: string, update?: MarkdownUpdate): readonly MarkdownBlock[];
  /** How many characters were parsed so far, over all updates: what growing has cost. */
  readonly parsedCharacters: number;
}

/** A stream that pays for what is new, and for the last open paragraph; a text that was changed starts over. */
export function createMarkdownStream(options: MarkdownOptions = {}): MarkdownStream {
  return new Stream(options.urlRule ?? createUrlRule());
}

/** The blocks of a text that is whole. */
export function parseMarkdown(text: string, options?: MarkdownOptions): readonly MarkdownBlock[] {
  return createMarkdownStream(options).update(text, { isComplete: true });
}

const lineEnd = /\r\n?|\n/g;
/** An open line's block can be recognized by its first characters. */
const lineStartLength = 256;

class Stream implements MarkdownStream {
  readonly #urlRule: UrlRule;
  #definitions = new DefinitionTable();
  #state: BlockState;
  #resolver: Resolver;
  #text = "";
  /** How much of the text is in the state: all whole lines. */
  #taken = 0;
  #scanned = 0;
  #isComplete = false;
  #blocks: readonly MarkdownBlock[] = [];
  #parsedCharacters = 0;

  constructor(urlRule: UrlRule) {
    this.#urlRule = urlRule;
    this.#state = this.#createState();
    this.#resolver = new Resolver(urlRule, this.#definitions);
  }

  get parsedCharacters(): number {
    return this.#parsedCharacters + this.#resolver.parsedCharacters;
  }

  update(text: string, { isComplete = false }: MarkdownUpdate = {}): readonly MarkdownBlock[] {
    if (text === this.#text && isComplete === this.#isComplete) return this.#blocks;
    const isGrown =
      text.length >= this.#text.length && text.slice(0, this.#text.length) === this.#text;
    if (!isGrown || this.#definitions.hasClosing) this.#startOver();
    this.#text = text;
    this.#isComplete = isComplete;
    this.#takeLines();
    const drafts = isComplete ? this.#closedDrafts() : this.#openDrafts();
    this.#blocks = this.#resolver.blocks(drafts);
    return this.#blocks;
  }

  #startOver(): void {
    this.#parsedCharacters += this.#resolver.parsedCharacters;
    this.#definitions = new DefinitionTable();
    this.#state = this.#createState();
    this.#resolver = new Resolver(this.#urlRule, this.#definitions);
    this.#taken = 0;
    this.#scanned = 0;
  }

  #createState(): BlockState {
    const definitions = this.#definitions;
    return createBlockState((definition) => definitions.add(definition));
  }

  /** Adds all lines whose end has come; a carriage return at the very end may be half of one. */
  #takeLines(): void {
    const text = this.#text;
    lineEnd.lastIndex = this.#scanned;
    for (let found = lineEnd.exec(text); found !== null; found = lineEnd.exec(text)) {
      const isHalf = found[0] === "\r" && lineEnd.lastIndex === text.length;
      if (isHalf) break;
      const line = text.slice(this.#taken, found.index);
      addLine(this.#state, withoutNull(line));
      this.#taken = lineEnd.lastIndex;
      this.#parsedCharacters += line.length;
    }
    this.#scanned = Math.max(this.#taken, text.endsWith("\r") ? text.length - 1 : text.length);
  }

  get #openLine(): string {
    return withoutNull(this.#text.slice(this.#taken).replace(/\r$/, ""));
  }

  #openDrafts(): BlockState["document"]["children"] {
    const line = this.#openLine;
    const state = forkBlockState(this.#state, { isLineOpen: true, onDefinition: () => undefined });
    this.#parsedCharacters += Math.min(line.length, lineStartLength);
    if (line !== "" && !isUndecided(state, line)) addLine(state, line);
    closeOpenEnd(state);
    return state.document.children;
  }

  #closedDrafts(): BlockState["document"]["children"] {
    const line = this.#openLine;
    const state = forkBlockState(this.#state, {
      isLineOpen: false,
      onDefinition: (definition) => this.#definitions.addClosing(definition),
    });
    this.#parsedCharacters += line.length;
    if (this.#taken < this.#text.length) addLine(state, line);
    closeLeaf(state);
    closeContainers(state, 0);
    return state.document.children;
  }
}

function withoutNull(line: string): string {
  return line.includes("\0") ? line.replaceAll("\0", "\ufffd") : line;
}
