import type { Highlighter } from "./highlighter.ts";
import { plainLines, type TokenLine } from "./token.ts";

/** Code at one moment; while `isOpen` more may come. */
export interface CodeText {
  readonly text: string;
  readonly language?: string | undefined;
  readonly isOpen?: boolean;
}

/** Code that grows, with the newest tokens there are for it. */
export interface HighlightedCode {
  /** Says what the code is now, which may start a pass over it. */
  update(code: CodeText): void;
  /** All lines of the code; those without tokens yet are plain, those with are the same objects each time. */
  linesFor(code: CodeText): readonly TokenLine[];
  close(): void;
}

/** Open code is highlighted again when it has grown by this part, so that all passes together stay linear. */
const growth = 1.25;

/** Follows one code block; `onChange` is called when `linesFor` has more colours. */
export function createHighlightedCode(
  highlighter: Highlighter,
  onChange: () => void,
): HighlightedCode {
  return new GrowingCode(highlighter, onChange);
}

interface Highlighted {
  readonly text: string;
  readonly language: string | undefined;
  readonly lines: readonly TokenLine[];
}

class GrowingCode implements HighlightedCode {
  readonly #highlighter: Highlighter;
  readonly #onChange: () => void;
  readonly #abort = new AbortController();
  #code: CodeText = { text: "" };
  #highlighted: Highlighted = { text: "", language: undefined, lines: [] };
  #isRunning = false;

  constructor(highlighter: Highlighter, onChange: () => void) {
    this.#highlighter = highlighter;
    this.#onChange = onChange;
  }

  linesFor(code: CodeText): readonly TokenLine[] {
    return mergedLines(code, this.#highlighted);
  }

  update(code: CodeText): void {
    const { text, language, isOpen } = this.#code;
    if (code.text === text && code.language === language && code.isOpen === isOpen) return;
    this.#code = code;
    this.#run();
  }

  close(): void {
    this.#abort.abort();
  }

  /** One pass at a time; what came during a pass waits for its end. */
  #run(): void {
    if (this.#isRunning || this.#abort.signal.aborted || !this.#isDue()) return;
    this.#isRunning = true;
    detach(this.#pass(this.#code));
  }

  async #pass({ text, language }: CodeText): Promise<void> {
    const { signal } = this.#abort;
    const lines = await this.#highlighter.highlight(text, language, { signal });
    this.#isRunning = false;
    if (signal.aborted) return;
    this.#highlighted = { text, language, lines };
    this.#onChange();
    this.#run();
  }

  #isDue(): boolean {
    const { text, language, isOpen } = this.#code;
    const done = this.#highlighted;
    if (language === undefined || text === "") return false;
    if (language !== done.language || !text.startsWith(done.text)) return true;
    return isOpen === true ? text.length > done.text.length * growth : text !== done.text;
  }
}

/** Tokens for the lines that were whole when they were made, plain text for those after. */
function mergedLines(code: CodeText, done: Highlighted): readonly TokenLine[] {
  if (code.language !== done.language || !code.text.startsWith(done.text)) {
    return plainLines(code.text);
  }
  if (code.text === done.text && done.lines.length > 0) return done.lines;
  const restStart = done.text.lastIndexOf("\n") + 1;
  return [...done.lines.slice(0, -1), ...plainLines(code.text.slice(restStart))];
}

/** Lets a pass run on its own; a highlighter that fails leaves the code plain. */
function detach(pass: Promise<void>): void {
  pass.catch(stayPlain);
}

function stayPlain(): void {}
