import { demo } from "@turnwire/runtime/demo";
import { jsonSchemas } from "@turnwire/protocol";
import {
  createMemoryStore,
  createTurnwireServer,
  createSessionHost,
  type TurnwireServer,
} from "@turnwire/server";
import { kit } from "@turnwire/wire-kit";
import { relaySearch } from "@turnwire/wire-relay";
import { webkit } from "@turnwire/wire-webkit";
import * as z from "zod";
import { linkTo } from "./link.ts";

export type SpecTable = TurnwireServer["table"];
type Route = SpecTable["routes"][number];
/** Names of schemas by what they say. */
type SchemaNames = ReadonlyMap<string, string>;

/** The routes of a server without a web app; nothing is opened for it. */
export async function loadRoutes(): Promise<SpecTable> {
  const host = createSessionHost({
    store: createMemoryStore(),
    runtimes: [demo()],
    defaultRuntime: "demo",
    roots: ["/"],
  });
  const server = await createTurnwireServer({
    host,
    auth: { type: "token", token: "only-for-the-table-of-routes" },
    wires: [webkit(), kit(), relaySearch([])],
  });
  await server.close();
  return server.table;
}

/** Every route with who may call it, what it takes and what it answers. */
export function routeTable({ routes, sockets }: SpecTable): string {
  const names = new Map(
    Object.entries(jsonSchemas()).map(([name, schema]) => [comparable(schema), name]),
  );
  const rows = [
    ...routes.map(
      (route) =>
        `| \`${route.method} ${pathOf(route.path)}\` | ${accessNames[route.access]} | ${bodyOf(route, names)} | ${answersOf(route, names)} | ${route.summary}. |`,
    ),
    ...sockets.map(
      ({ path, summary, access }) =>
        `| \`GET ${pathOf(path)}\` | ${accessNames[access]} | – | 101 | ${summary}. |`,
    ),
  ];
  return ["| route | who | body | answer | |", "|---|---|---|---|---|", ...rows].join("\n");
}

const accessNames: Readonly<Record<Route["access"], string>> = {
  open: "everyone",
  read: "any",
  operate: "operate",
  admin: "admin",
};

function pathOf(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ":$1");
}

function bodyOf({ body, query }: Route, names: SchemaNames): string {
  const parts = [
    ...(body ? [schemaName(body, names)] : []),
    ...(query ? [`query \`${fieldNames(z.toJSONSchema(query, { io: "input" }))}\``] : []),
  ];
  return parts.join("; ") || "–";
}

function answersOf({ answers }: Route, names: SchemaNames): string {
  return Object.entries(answers)
    .map(([status, { schema, contentType }]) => {
      if (schema) return `${status} ${schemaName(schema, names)}`;
      return contentType === undefined ? status : `${status} \`${contentType}\``;
    })
    .join(", ");
}

/** A schema by its name where the page has one, else by its fields. */
function schemaName(schema: z.ZodType, names: SchemaNames): string {
  return shapeName(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }), names);
}

function shapeName(shape: z.core.JSONSchema.BaseSchema, names: SchemaNames): string {
  const name = names.get(comparable(shape));
  if (name === "Command") return "[a command](commands.md)";
  if (name !== undefined) return linkTo(name);
  if (shape.$ref !== undefined) return linkTo(shape.$ref.replace("#/$defs/", ""));
  if (shape.type === "array") return linkTo("JsonPatch");
  if (shape.anyOf) return shape.anyOf.map((variant) => shapeName(variant, names)).join(" or ");
  return shape.properties ? `\`{${fieldNames(shape)}}\`` : "object";
}

/** The schema without its title: what it says, not what it is called. */
function comparable({ title: _title, ...schema }: object & { title?: unknown }): string {
  return JSON.stringify(schema);
}

function fieldNames({ properties = {}, required = [] }: z.core.JSONSchema.BaseSchema): string {
  const isRequired = new Set(required);
  return Object.keys(properties)
    .map((name) => (isRequired.has(name) ? name : `${name}?`))
    .join(", ");
}
