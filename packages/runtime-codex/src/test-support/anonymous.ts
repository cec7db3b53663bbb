import type { JsonValue } from "@turnwire/protocol";

const day = Date.UTC(2026, 10, 15);
const fixedMs = 100;

/** Ids that are recognized by their form. */
const patterns = [
  { name: "msg", pattern: /\bmsg_[0-9a-f]{18}\b/g },
  // Of what Codex says itself.
  { name: "own_msg", pattern: /\bmsg_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g },
  { name: "rs", pattern: /\brs_[0-9a-f]{18}\b/g },
  { name: "call", pattern: /\bcall_[0-9a-f]{18}\b/g },
  { name: "out", pattern: /\bout_[0-9a-f]{18}\b/g },
  { name: "resp", pattern: /\bresp_[0-9a-f]{18}\b/g },
  { name: "uuid", pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g },
] as const;

/** Makes recorded messages the same on every machine: ids, places and times become plain ones. */
export class Anonymizer {
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Texts to replace wherever they stand, such as the recording's own directory. */
  readonly #places: readonly (readonly [string, string])[];

  constructor(places: Readonly<Record<string, string>>) {
    this.#places = Object.entries(places).toSorted(([a], [b]) => b.length - a.length);
  }

  /** The message as it goes into line `index` of a fixture. */
  anonymize(message: JsonValue, index: number): JsonValue {
    return this.#rewrite(message, { key: "", index });
  }

  #rewrite(value: JsonValue, context: { key: string; index: number }): JsonValue {
    if (typeof value === "string") return this.#rewriteText(value, context.key);
    if (typeof value === "number") return fixedNumber(value, context);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => this.#rewrite(entry, context));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [
        this.#rewriteText(key, ""),
        this.#rewrite(entry, { ...context, key }),
      ]),
    );
  }

  #rewriteText(text: string, key: string): string {
    if (key === "processId") return this.#nameOf(text, "process");
    if (key === "agentNickname") return "Nickname";
    let rewritten = text;
    for (const [place, name] of this.#places) rewritten = rewritten.replaceAll(place, name);
    for (const { name, pattern } of patterns) {
      rewritten = rewritten.replace(pattern, (id) => this.#nameOf(id, name));
    }
    return rewritten
      .replaceAll(/\b(index) [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}/g, "$1 0..1")
      .replaceAll(/\d{4}([/-])\d\d[/-]\d\d\/rollout-\d{4}-\d\d-\d\dT[\d-]+-/g, "rollout-");
  }

  #nameOf(id: string, name: string): string {
    const known = this.#names.get(id);
    if (known !== undefined) return known;
    const count = (this.#counts.get(name) ?? 0) + 1;
    this.#counts.set(name, count);
    const given = `${name}_${count}`;
    this.#names.set(id, given);
    return given;
  }
}

function fixedNumber(value: number, { key, index }: { key: string; index: number }): number {
  if (key.endsWith("AtMs")) return day + index * 1000;
  // Every answer has the same.
  if (key === "resetsAt") return day / 1000;
  if (key.endsWith("At")) return day / 1000 + index;
  return key.endsWith("Ms") ? fixedMs : value;
}
