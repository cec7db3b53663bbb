import type { MissingLabels } from "./tree/missing-label.ts";

/** How many drafts at the end of a list may be other ones when it is seen again. */
const openEnd = 2;

interface SettledNodes<Draft, Node> {
  /** Only ever gets longer: lists of drafts grow at their end. */
  readonly nodes: Node[];
  last: Draft;
  readonly missing: MissingLabels;
}

/**
 * The nodes of lists of drafts. A list only grows, and only its last drafts differ from one time
 * to the next: what was made of the others is taken as a whole, so that it is not even looked at.
 */
export class GrowingNodes<Draft extends object, Node> {
  readonly #make: (draft: Draft, missing: MissingLabels) => Node;
  readonly #createMissing: () => MissingLabels;
  readonly #kept = new WeakMap<Draft, SettledNodes<Draft, Node>>();

  constructor(
    createMissing: () => MissingLabels,
    make: (draft: Draft, missing: MissingLabels) => Node,
  ) {
    this.#createMissing = createMissing;
    this.#make = make;
  }

  /** The nodes of the drafts; labels that they lack are added to `missing`. */
  of(drafts: readonly Draft[], missing: MissingLabels): readonly Node[] {
    const settled = this.#settledOf(drafts);
    if (settled !== undefined) missing.addAll(settled.missing);
    const rest = drafts
      .slice(settled?.nodes.length ?? 0)
      .map((draft) => this.#make(draft, missing));
    return settled === undefined ? rest : settled.nodes.concat(rest);
  }

  #settledOf(drafts: readonly Draft[]): SettledNodes<Draft, Node> | undefined {
    const count = drafts.length - openEnd;
    const [first] = drafts;
    const last = drafts[count - 1];
    if (first === undefined || last === undefined) return undefined;
    const known = this.#kept.get(first);
    const isKnown =
      known !== undefined &&
      drafts[known.nodes.length - 1] === known.last &&
      !known.missing.isStale;
    const kept = isKnown ? known : { nodes: [], last, missing: this.#createMissing() };
    for (const draft of drafts.slice(kept.nodes.length, count)) {
      kept.nodes.push(this.#make(draft, kept.missing));
      kept.last = draft;
    }
    this.#kept.set(first, kept);
    return kept;
  }
}
