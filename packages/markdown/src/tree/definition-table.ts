export interface Definition {
  readonly label: string;
  readonly url: string;
  readonly title?: string;
}

/** The link reference definitions of a text; the first of a label counts. */
export class DefinitionTable {
  readonly #definitions = new Map<string, Definition>();
  /** Those that are there only because the text was said to end. */
  readonly #closing = new Map<string, Definition>();

  /** Grows with each definition: with the same size, references lead where they led. */
  get size(): number {
    return this.#definitions.size + this.#closing.size;
  }

  get hasClosing(): boolean {
    return this.#closing.size > 0;
  }

  get(label: string): Definition | undefined {
    return this.#definitions.get(label) ?? this.#closing.get(label);
  }

  add(definition: Definition): void {
    if (this.get(definition.label) === undefined)
      this.#definitions.set(definition.label, definition);
  }

  addClosing(definition: Definition): void {
    if (this.get(definition.label) === undefined) this.#closing.set(definition.label, definition);
  }
}
