import { isObject } from "@turnwire/base";
import { type JsonObject, type JsonValue, limits, pointerName } from "@turnwire/protocol";

/** What is wrong with a schema, and where. */
export interface SchemaProblem {
  /** A JSON Pointer into the schema. */
  readonly path: string;
  readonly problem: string;
}

const schemaKeywords = new Set([
  "additionalItems",
  "additionalProperties",
  "contains",
  "else",
  "if",
  "not",
  "propertyNames",
  "then",
  "unevaluatedItems",
  "unevaluatedProperties",
]);
const listKeywords = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const mapKeywords = new Set([
  "$defs",
  "definitions",
  "dependentSchemas",
  "patternProperties",
  "properties",
]);
const countKeywords = new Set([
  "maxContains",
  "maxItems",
  "maxLength",
  "maxProperties",
  "minContains",
  "minItems",
  "minLength",
  "minProperties",
]);
const numberKeywords = new Set(["exclusiveMaximum", "exclusiveMinimum", "maximum", "minimum"]);
/** They lead out of the schema, or make what a reference means depend on where it is read. */
const refusedKeywords = new Set([
  "$anchor",
  "$dynamicAnchor",
  "$dynamicRef",
  "$id",
  "$recursiveAnchor",
  "$recursiveRef",
]);
const types = new Set(["array", "boolean", "integer", "null", "number", "object", "string"]);
/** Subschemas that look at the same value as the schema that has them. */
const sameValueKeywords =
  /^\/(?:(?:allOf|anyOf|oneOf)\/\d+|not|if|then|else|dependentSchemas\/[^/]+)$/;

/** Why this cannot be the schema of a component's properties; undefined when it can. */
export function schemaProblem(schema: JsonObject): SchemaProblem | undefined {
  const bytes = Buffer.byteLength(JSON.stringify(schema));
  if (bytes > limits.catalogSchemaBytes) {
    return at(
      "",
      `it has ${bytes} bytes of JSON; at most ${limits.catalogSchemaBytes} are allowed`,
    );
  }
  const { type } = schema;
  if (type !== undefined && type !== "object") {
    return at("/type", "properties are an object, so it must be `object`");
  }
  const walk = new SchemaWalk();
  return walk.visit(schema, "", 1) ?? walk.referenceProblem();
}

/** Looks at every subschema once. */
class SchemaWalk {
  readonly #seen = new Set<string>();
  /** What a schema at a place refers to. */
  readonly #references = new Map<string, string>();
  /** Subschemas of a place that look at the same value. */
  readonly #alternatives = new Map<string, string[]>();

  visit(schema: JsonValue | undefined, path: string, depth: number): SchemaProblem | undefined {
    if (depth > limits.catalogSchemaDepth) {
      return at(path, `it is nested deeper than ${limits.catalogSchemaDepth} schemas`);
    }
    this.#seen.add(path);
    if (typeof schema === "boolean") return undefined;
    if (!isObject(schema)) return at(path, "a schema is an object, true or false");
    for (const [keyword, value] of Object.entries(schema)) {
      const place = `${path}/${pointerName(keyword)}`;
      const problem = keywordProblem(keyword, value);
      if (problem !== undefined) return at(place, problem);
      if (keyword === "$ref" && typeof value === "string") {
        this.#references.set(path, placeOf(value));
      }
      for (const [name, below] of subschemasOf(keyword, value)) {
        const sub = `${place}${name}`;
        if (sameValueKeywords.test(sub.slice(path.length))) this.#addAlternative(path, sub);
        const found = this.visit(below, sub, depth + 1);
        if (found) return found;
      }
    }
    return undefined;
  }

  /** References lead to schemas within the schema, and not in a circle that no value would end. */
  referenceProblem(): SchemaProblem | undefined {
    for (const [path, target] of this.#references) {
      if (!this.#seen.has(target)) return at(`${path}/$ref`, "there is no schema at that place");
    }
    const ended = new Set<string>();
    for (const path of this.#references.keys()) {
      if (this.#isCircle(path, new Set(), ended)) {
        return at(`${path}/$ref`, "it refers to itself without an end");
      }
    }
    return undefined;
  }

  #isCircle(path: string, above: Set<string>, ended: Set<string>): boolean {
    if (above.has(path)) return true;
    if (ended.has(path)) return false;
    above.add(path);
    const target = this.#references.get(path);
    const next = [
      ...(this.#alternatives.get(path) ?? []),
      ...(target === undefined ? [] : [target]),
    ];
    const isCircle = next.some((place) => this.#isCircle(place, above, ended));
    above.delete(path);
    ended.add(path);
    return isCircle;
  }

  #addAlternative(path: string, sub: string): void {
    this.#alternatives.set(path, [...(this.#alternatives.get(path) ?? []), sub]);
  }
}

/** What a keyword's value must be, where it is not. */
function keywordProblem(keyword: string, value: JsonValue): string | undefined {
  if (refusedKeywords.has(keyword)) return "it is not supported: use $defs and $ref";
  if (listKeywords.has(keyword)) {
    return Array.isArray(value) && value.length > 0 ? undefined : "it must be a list of schemas";
  }
  if (keyword === "patternProperties" && isObject(value)) {
    return Object.keys(value)
      .map(patternProblem)
      .find((problem) => problem !== undefined);
  }
  if (mapKeywords.has(keyword)) return isObject(value) ? undefined : "it must be an object";
  if (countKeywords.has(keyword)) {
    const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0;
    return isCount ? undefined : "it must be a whole number, 0 or more";
  }
  if (numberKeywords.has(keyword)) {
    return typeof value === "number" ? undefined : "it must be a number";
  }
  switch (keyword) {
    case "$ref":
      return typeof value === "string" && /^#(\/|$)/.test(value)
        ? undefined
        : "it must lead to a place in this schema, such as #/$defs/row";
    case "type":
      return typeNames(value).every((name) => typeof name === "string" && types.has(name))
        ? undefined
        : `it must be one of ${[...types].join(", ")}, or a list of them`;
    case "multipleOf":
      return typeof value === "number" && value > 0 ? undefined : "it must be more than 0";
    case "enum":
      return Array.isArray(value) ? undefined : "it must be a list";
    case "required":
      return Array.isArray(value) && value.every((name) => typeof name === "string")
        ? undefined
        : "it must be a list of names";
    case "pattern":
      return patternProblem(value);
    default:
      return undefined;
  }
}

function typeNames(value: JsonValue): readonly JsonValue[] {
  if (!Array.isArray(value)) return [value];
  return value.length > 0 ? value : [null];
}

function patternProblem(pattern: JsonValue): string | undefined {
  if (typeof pattern !== "string") return "it must be a regular expression";
  try {
    void new RegExp(pattern, "u");
    return undefined;
  } catch {
    return `${pattern} is not a regular expression`;
  }
}

/** The schemas within a keyword's value, each with its place below the keyword. */
function subschemasOf(keyword: string, value: JsonValue): [string, JsonValue][] {
  if (schemaKeywords.has(keyword)) return [["", value]];
  // Before draft 2020-12, `items` may be a list.
  if (keyword === "items" && !Array.isArray(value)) return [["", value]];
  const isList = listKeywords.has(keyword) || keyword === "items";
  if (!isList && !mapKeywords.has(keyword)) return [];
  const entries = Object.entries(value ?? {}) as [string, JsonValue][];
  return entries.map(([name, below]) => [`/${pointerName(name)}`, below]);
}

/** The place that a reference names, as the walk writes places. */
function placeOf(reference: string): string {
  try {
    return decodeURIComponent(reference.slice(1));
  } catch {
    return reference.slice(1);
  }
}

function at(path: string, problem: string): SchemaProblem {
  return { path, problem };
}
