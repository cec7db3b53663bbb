import { isObject } from "@turnwire/base";
import type { JsonObject, JsonValue } from "@turnwire/protocol";
import { listFrom, objectFrom, optionalTextFrom, textItem } from "./property.ts";

type FieldKind = "text" | "multiline" | "number" | "boolean" | "choice";

/** A field of a form. */
export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly kind: FieldKind;
  readonly options: readonly string[];
  readonly isRequired: boolean;
  readonly value: string | number | boolean | undefined;
}

/** The fields of a JSON Schema object: its properties in their order, of the simple types only. */
export function formFieldsFrom(schema: unknown): readonly FormField[] {
  const source = objectFrom(schema, "schema");
  const required = new Set(listFrom(source, "required", textItem));
  return Object.entries(objectFrom(source["properties"], "properties")).map(([name, property]) => {
    const field = objectFrom(property, name);
    const options = listFrom(field, "enum", textItem);
    const value = field["default"];
    return {
      name,
      label: optionalTextFrom(field, "title") ?? name,
      description: optionalTextFrom(field, "description"),
      kind: kindOf(field, name),
      options,
      isRequired: required.has(name),
      value: isSimple(value) ? value : undefined,
    };
  });
}

function kindOf(field: Readonly<Record<string, unknown>>, name: string): FieldKind {
  if (field["enum"] !== undefined) return "choice";
  switch (field["type"]) {
    case "string":
    case undefined:
      return field["format"] === "multiline" ? "multiline" : "text";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    default:
      throw new Error(`${name} has a type that forms do not support`);
  }
}

function isSimple(value: unknown): value is string | number | boolean {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The texts of the fields and which boxes are ticked, as they stand: also texts that are not a valid value yet. */
export type FormEntry = Readonly<Record<string, string | boolean>>;

export function entryFrom(fields: readonly FormField[], data: FormData): FormEntry {
  return Object.fromEntries(
    fields.map(({ name, kind }) => {
      const given = data.get(name);
      return [name, kind === "boolean" ? given !== null : typeof given === "string" ? given : ""];
    }),
  );
}

/** The fields with what was entered as their values, as far as that fits them. */
export function fieldsWithEntry(
  fields: readonly FormField[],
  entry: unknown,
): readonly FormField[] {
  if (!isObject(entry)) return fields;
  return fields.map((field) => {
    const entered = entry[field.name];
    const isTick = typeof entered === "boolean" && field.kind === "boolean";
    const isText = typeof entered === "string" && field.kind !== "boolean";
    const isGone = field.kind === "choice" && !field.options.some((option) => option === entered);
    return (isTick || isText) && !isGone ? { ...field, value: entered } : field;
  });
}

/** The values that were filled in, with the types of their fields; empty ones are left out. */
export function valuesFrom(fields: readonly FormField[], data: FormData): JsonObject {
  const entries = fields.flatMap(({ name, kind }): [string, JsonValue][] => {
    const given = data.get(name);
    if (kind === "boolean") return [[name, given !== null]];
    if (typeof given !== "string" || given === "") return [];
    return [[name, kind === "number" ? Number(given) : given]];
  });
  return Object.fromEntries(entries);
}
