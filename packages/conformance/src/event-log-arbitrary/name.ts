/** Ids that trip code which uses them as plain object keys, then as many others as are needed. */
const hostile = ["__proto__", "constructor", "10", "2", "a b"];

/** Hands out ids that are unique within their kind. */
export class Names {
  readonly #counts = new Map<string, number>();

  next(kind: string): string {
    const count = this.#counts.get(kind) ?? 0;
    this.#counts.set(kind, count + 1);
    return hostile[count] ?? `${kind}${count}`;
  }
}
