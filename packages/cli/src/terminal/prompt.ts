import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { InputStream } from "./stream.ts";

interface PromptListeners {
  /** A line was entered, or pasted lines and the one after them. */
  readonly onLine: (line: string) => void;
  /** What is being typed has changed. */
  readonly onChange: () => void;
  /** Ctrl-C. */
  readonly onInterrupt: () => void;
  /** Ctrl-D on an empty line, or the input is over. */
  readonly onEnd: () => void;
}

export interface PromptOptions extends PromptListeners {
  readonly input: InputStream;
  readonly output: Writable;
  /** Newest first. */
  readonly history: readonly string[];
  /** Words that Tab completes the line to. */
  readonly complete: (line: string) => readonly string[];
}

const PASTE_ON = "\u001b[?2004h";
const PASTE_OFF = "\u001b[?2004l";

/**
 * A line editor: readline edits, keeps the history and reads the keys, but draws nothing.
 * The owner of the screen draws `text` and `cursor`.
 */
export class Prompt {
  readonly #readline: Interface;
  readonly #options: PromptOptions;
  #pasted: string[] = [];
  #isPasting = false;
  #keepsHistory = true;

  constructor(options: PromptOptions) {
    this.#options = options;
    this.#readline = createInterface({
      input: options.input,
      output: new Writable({ write: (_chunk, _encoding, done) => done() }),
      terminal: true,
      history: [...options.history],
      historySize: 500,
      removeHistoryDuplicates: true,
      completer: (line: string) => [[...options.complete(line)], line],
    });
    this.#readline.on("line", (line) => this.#enter(line));
    this.#readline.on("SIGINT", options.onInterrupt);
    this.#readline.on("close", options.onEnd);
    this.#readline.on("SIGCONT", options.onChange);
    this.#readline.on("history", (history: string[]) => {
      if (!this.#keepsHistory) history.shift();
    });
    options.input.on("keypress", this.#onKey);
    options.output.write(PASTE_ON);
  }

  get text(): string {
    return this.#readline.line;
  }

  get cursor(): number {
    return this.#readline.cursor;
  }

  /** Lines that were pasted and wait for Enter. */
  get pastedLines(): number {
    return this.#pasted.length;
  }

  /** Replaces what is typed. */
  setText(text: string): void {
    this.#pasted = [];
    this.#readline.write(null, { ctrl: true, name: "e" });
    this.#readline.write(null, { ctrl: true, name: "u" });
    if (text !== "") this.#readline.write(text);
  }

  /** Whether entered lines can be called back with the arrow keys. */
  keepHistory(isKept: boolean): void {
    this.#keepsHistory = isKept;
  }

  close(): void {
    this.#options.input.off("keypress", this.#onKey);
    this.#readline.off("close", this.#options.onEnd);
    this.#readline.close();
    this.#options.output.write(PASTE_OFF);
  }

  #onKey = (_text: string | undefined, key: { readonly name?: string }): void => {
    if (key.name === "paste-start") this.#isPasting = true;
    if (key.name === "paste-end") this.#isPasting = false;
    this.#options.onChange();
  };

  #enter(line: string): void {
    if (this.#isPasting) {
      this.#pasted.push(line);
      return;
    }
    if (line.endsWith("\\")) {
      this.#pasted.push(line.slice(0, -1));
      return;
    }
    const text = [...this.#pasted, line].join("\n");
    this.#pasted = [];
    this.#options.onLine(text);
  }
}
