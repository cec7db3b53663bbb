import type { DefinitionTable } from "./definition-table.ts";

/** Labels that were looked for and not defined: a node that lacks one is made again when it is. */
export class MissingLabels {
  readonly #definitions: DefinitionTable;
  readonly #labels = new Set<string>();
  #checkedSize: number;

  constructor(definitions: DefinitionTable) {
    this.#definitions = definitions;
    this.#checkedSize = definitions.size;
  }

  /** One of them is defined by now. */
  get isStale(): boolean {
    if (this.#checkedSize === this.#definitions.size) return false;
    for (const label of this.#labels) if (this.#definitions.get(label) !== undefined) return true;
    this.#checkedSize = this.#definitions.size;
    return false;
  }

  add(label: string): void {
    this.#labels.add(label);
  }

  addAll(other: MissingLabels): void {
    for (const label of other.#labels) this.#labels.add(label);
  }
}
