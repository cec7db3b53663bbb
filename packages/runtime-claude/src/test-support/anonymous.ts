import type { JsonValue } from "@turnwire/protocol";

const day = Date.UTC(2026, 10, 15);
const fixedMs = 100;

/** Ids that are recognized by their form. */
const patterns = [
  { name: "msg", pattern: /\bmsg_[0-9a-f]{18}\b/g },
  { name: "toolu", pattern: /\btoolu_[0-9a-f]{18}\b/g },
  { name: "uuid", pattern: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g },
] as const;

/** Fields whose values are ids without a recognizable form. */
const idFields = new Map([
  ["task_id", "task"],
  ["agent_id", "task"],
  ["agentId", "task"],
  ["agentID", "task"],
  ["backgroundTaskId", "task"],
  ["run_id", "run"],
  ["runId", "run"],
  ["hook_id", "hook"],
]);

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
    this.#learn(message);
    return this.#rewrite(message, { key: "", at: new Date(day + index * 1000).toISOString() });
  }

  #learn(value: JsonValue): void {
    if (typeof value !== "object" || value === null) return;
    for (const [key, entry] of Object.entries(value)) {
      const name = idFields.get(key);
      if (name !== undefined && typeof entry === "string") this.#nameOf(entry, name);
      else this.#learn(entry);
    }
  }

  #rewrite(value: JsonValue, context: { key: string; at: string }): JsonValue {
    if (typeof value === "string") return this.#rewriteText(value, context);
    if (typeof value === "number") return fixedNumber(context.key, value);
    if (typeof value !== "object" || value === null) return value;
    if (Array.isArray(value)) return value.map((entry) => this.#rewrite(entry, context));
    return Object.fromEntries(
      Object.entries(value).map(([key, entry]) => [key, this.#rewrite(entry, { ...context, key })]),
    );
  }

  #rewriteText(text: string, { key, at }: { key: string; at: string }): string {
    if (key === "timestamp") return at;
    let rewritten = text;
    for (const [place, name] of this.#places) rewritten = rewritten.replaceAll(place, name);
    for (const { name, pattern } of patterns) {
      rewritten = rewritten.replace(pattern, (id) => this.#nameOf(id, name));
    }
    for (const [id, name] of this.#names) rewritten = rewritten.replaceAll(id, name);
    return rewritten
      .replaceAll(/\bduration_ms: \d+/g, "duration_ms: 100")
      .replaceAll(/\/cc-socks\/\d+\.sock/g, "/cc-socks/1.sock");
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

function fixedNumber(key: string, value: number): number {
  if (key === "end_time") return day;
  if (key === "resetsAt") return day / 1000;
  return /(_ms|Ms)$/.test(key) ? fixedMs : value;
}
