import type { JsonSchema } from "@turnwire/protocol";
import { linkTo } from "./link.ts";

/** A JSON Schema as the generator reads it. */
type Schema = JsonSchema;

interface Row {
  readonly field: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly meaning: string;
}

export interface FieldTableOptions {
  /** Fields that the text around the table explains. */
  readonly leftOut?: ReadonlySet<string>;
  /** Without the fields of objects inside of the object. */
  readonly isFlat?: boolean;
}

/** A table of the fields of an object, nested ones by their path; a sentence where it has none. */
export function fieldTable(object: Schema, options: FieldTableOptions = {}): string {
  const { leftOut, isFlat = false } = options;
  const rows = rowsOf(object, "")
    .filter(({ field }) => !leftOut?.has(field))
    .filter(({ field }) => !isFlat || !field.includes("."));
  if (rows.length === 0) return "No fields.";
  const lines = rows.map(
    ({ field, type, isRequired, meaning }) =>
      `| \`${field}\` | ${type} | ${isRequired ? "yes" : "no"} | ${meaning} |`,
  );
  return ["| field | type | required | meaning |", "|---|---|---|---|", ...lines].join("\n");
}

/** The variants of a union, each by its discriminant; undefined for anything but a union of objects. */
export function variantsOf(schema: Schema): readonly Schema[] | undefined {
  const variants = schema.oneOf ?? schema.anyOf;
  const objects = variants?.map(schemaFrom).filter(({ properties }) => properties !== undefined);
  return objects && objects.length > 1 ? objects : undefined;
}

/** A type in one cell of a table. */
export function typeText(schema: Schema): string {
  if (schema.$ref !== undefined) return linkTo(schema.$ref.replace("#/$defs/", ""));
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(", ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return variants.map((variant) => typeText(schemaFrom(variant))).join(" or ");
  switch (schema.type) {
    case "array":
      return `list of ${typeText(schemaFrom(schema.items))}${range(schema.minItems, schema.maxItems, "items")}`;
    case "object":
      return schema.properties ? "object" : `map from string to ${typeText(valuesOf(schema))}`;
    case "string":
      return stringText(schema);
    case "integer":
      return "integer";
    case undefined:
      return "any JSON value";
    default:
      return [schema.type].flat().join(" or ");
  }
}

function rowsOf(object: Schema, prefix: string): Row[] {
  const required = new Set(object.required);
  return Object.entries(object.properties ?? {}).flatMap(([name, value]) => {
    const schema = schemaFrom(value);
    const field = `${prefix}${name}`;
    const row = {
      field,
      type: typeText(schema),
      isRequired: required.has(name),
      meaning: schema.description ?? (schema.const === undefined ? "" : "Which kind this is."),
    };
    return [row, ...nestedRows(schema, field)];
  });
}

function nestedRows(schema: Schema, field: string): Row[] {
  const [only, ...others] = (schema.anyOf ?? [])
    .map(schemaFrom)
    .filter(({ properties }) => properties !== undefined);
  if (only && others.length === 0) return nestedRows(only, field);
  if (schema.properties) return rowsOf(schema, `${field}.`);
  const items = schema.type === "array" ? schemaFrom(schema.items) : undefined;
  return items?.properties ? rowsOf(items, `${field}[].`) : [];
}

function stringText({ format, pattern, minLength, maxLength }: Schema): string {
  if (format === "date-time") return "string, date and time";
  if (format === "base64") return "string, base64";
  if (pattern !== undefined && maxLength === undefined && pattern.length < 60) {
    return `string like ${code(pattern)}`;
  }
  return `string${range(minLength, maxLength, "characters")}`;
}

function range(least: number | undefined, most: number | undefined, unit: string): string {
  if (most !== undefined) return `, ${least ?? 0} to ${most.toLocaleString("en")} ${unit}`;
  return least === undefined ? "" : `, at least ${least} ${unit}`;
}

function valuesOf(schema: Schema): Schema {
  return schemaFrom(schema.additionalProperties);
}

/** What stands where a schema may stand; `true` and lists say nothing that a table could show. */
export function schemaFrom(value: Schema["items"] | Schema["additionalProperties"]): Schema {
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** A pipe would end the cell, also inside of code. */
function code(text: string): string {
  return `\`${text.replaceAll("|", "\\|")}\``;
}
