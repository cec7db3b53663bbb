import {
  closeCode,
  jsonSchemas,
  limits,
  wireError,
  WireErrorCode,
  wireErrorStatus,
  type JsonSchema,
} from "@turnwire/protocol";
import { fieldTable, schemaFrom, typeText, variantsOf } from "./field-table.ts";
import { bodySchemas } from "./link.ts";
import { closeMeanings, errorMeanings, limitMeanings } from "./meaning.ts";
import { routeTable, type SpecTable } from "./route-table.ts";

/** The generated parts of the pages of the protocol by the name of their markers. */
export function sectionsFrom(table: SpecTable): ReadonlyMap<string, string> {
  const schemas = jsonSchemas();
  return new Map([
    ["envelope", envelopeTable(schemas.SessionEvent)],
    ["events", events(schemas.SessionEvent)],
    ["commands", commands(schemas.Command)],
    ["types", types(Object.values(schemas))],
    ["bodies", bodies()],
    ["state", fieldTable(schemas.SessionState)],
    ["routes", routeTable(table)],
    ["errors", errorTable()],
    ["close-codes", closeTable()],
    ["limits", limitTable()],
  ]);
}

const isOfEvery = new Set(["type", "data"]);
const discriminant = new Set(["type"]);
/** Their objects are the data of events, which have tables of their own. */
const flatTypes = new Set(["Block", "Message", "OpenRequest"]);

function envelopeTable(event: JsonSchema): string {
  const [any] = variantsOf(event) ?? [];
  const table = any
    ? fieldTable({ ...any, properties: withoutData(any) }, { leftOut: isOfEvery })
    : "";
  return [
    table,
    "| `type` | string | yes | What happened: one of the types below. |",
    "| `data` | object | yes | The fields of that type. |",
  ].join("\n");
}

function withoutData({ properties }: JsonSchema): NonNullable<JsonSchema["properties"]> {
  const { data: _data, ...rest } = properties ?? {};
  return rest;
}

function events(event: JsonSchema): string {
  return (variantsOf(event) ?? [])
    .map(({ properties }) => {
      const data = schemaFrom(properties?.["data"]);
      return block(`## ${constOf(properties?.["type"])}`, data.description, fieldTable(data));
    })
    .join("\n\n");
}

function commands(command: JsonSchema): string {
  return (variantsOf(command) ?? [])
    .map((variant) => {
      const name = constOf(variant.properties?.["type"]);
      return block(
        `## ${name}`,
        variant.description,
        fieldTable(variant, { leftOut: discriminant }),
      );
    })
    .join("\n\n");
}

/** Types that several events, commands or answers use, each once. */
function types(schemas: readonly JsonSchema[]): string {
  const named = new Map<string, JsonSchema>();
  for (const { $defs = {} } of schemas) {
    for (const [name, schema] of Object.entries($defs)) named.set(name, schema);
  }
  return [...named]
    .toSorted(([left], [right]) => left.localeCompare(right))
    .map(([name, schema]) =>
      block(`## ${name}`, schema.description, shape(schema, flatTypes.has(name))),
    )
    .join("\n\n");
}

function bodies(): string {
  return [...bodySchemas]
    .map(([name, schema]) => block(`## ${name}`, schema.description, shape(schema)))
    .join("\n\n");
}

function shape(schema: JsonSchema, isFlat = false): string {
  const variants = variantsOf(schema);
  if (variants && schema.oneOf) {
    return variants
      .map((variant) => block(variant.description, fieldTable(variant, { isFlat })))
      .join("\n\n");
  }
  return schema.properties ? fieldTable(schema) : `Type: ${typeText(schema)}.`;
}

function errorTable(): string {
  const rows = WireErrorCode.options.map((code) => {
    const { retryable } = wireError(code, "");
    return `| ${wireErrorStatus[code]} | \`${code}\` | ${retryable ? "yes" : "no"} | ${errorMeanings[code]} |`;
  });
  return ["| status | code | retryable | meaning |", "|---|---|---|---|", ...rows].join("\n");
}

function closeTable(): string {
  const rows = Object.entries(closeCode).map(
    ([name, code]) => `| ${code} | ${closeMeanings[name as keyof typeof closeCode]} |`,
  );
  return ["| code | meaning |", "|---|---|", ...rows].join("\n");
}

function limitTable(): string {
  const rows = Object.entries(limits).map(
    ([name, value]) =>
      `| \`${name}\` | ${amount(name, value)} | ${limitMeanings[name as keyof typeof limits]} |`,
  );
  return ["| limit | value | meaning |", "|---|---|---|", ...rows].join("\n");
}

function amount(name: string, value: number): string {
  if (name.endsWith("Bytes")) {
    const mebibytes = value / 1024 / 1024;
    return Number.isInteger(mebibytes) ? `${mebibytes} MiB` : `${value / 1024} KiB`;
  }
  if (!name.endsWith("Ms")) return value.toLocaleString("en");
  const seconds = value / 1000;
  if (seconds < 1) return `${value} ms`;
  if (seconds < 120) return `${seconds} s`;
  const minutes = seconds / 60;
  return minutes < 120 ? `${minutes} min` : `${minutes / 60 / 24} days`;
}

function block(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== "").join("\n\n");
}

function constOf(value: Parameters<typeof schemaFrom>[0]): string {
  return String(schemaFrom(value).const);
}
