import * as protocol from "@turnwire/protocol";
import * as z from "zod";
import type { AnswerShape, Route, SocketRoute } from "@turnwire/wire";

export interface OpenApiOptions {
  readonly routes: readonly Route[];
  readonly sockets: readonly Pick<SocketRoute, "path" | "summary">[];
  readonly version: string;
}

type JsonObject = protocol.JsonObject;

/** Schemas that have a name on the wire; all others are named after their route. */
const named: ReadonlyMap<z.ZodType, string> = new Map<z.ZodType, string>([
  [protocol.Command, "Command"],
  [protocol.CreateSession, "CreateSession"],
  [protocol.SendMessage, "SendMessage"],
  [protocol.SessionInfo, "SessionInfo"],
  [protocol.SessionList, "SessionList"],
  [protocol.WatchFrame, "WatchFrame"],
  [protocol.WireErrorBody, "WireErrorBody"],
]);

/** Describes the routes as OpenAPI 3.1, from the same table that serves them. */
export function openApiFrom(options: OpenApiOptions): JsonObject {
  const components = new Components();
  const paths: Record<string, JsonObject> = {};
  for (const route of options.routes) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationFrom(route, components),
    };
  }
  for (const socket of options.sockets) {
    paths[socket.path] = {
      get: {
        summary: socket.summary,
        parameters: parametersFrom(socket.path),
        responses: { 101: { description: "Upgraded to WebSocket" } },
      },
    };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Turnwire", version: options.version },
    security: [{ bearer: [] }, { cookie: [], pageKey: [] }],
    paths,
    components: {
      securitySchemes: {
        bearer: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "turnwire" },
        pageKey: { type: "apiKey", in: "header", name: protocol.pageKeyHeader },
      },
      schemas: components.schemas,
    },
  };
}

/** The document's schemas. Local definitions are lifted to the top, where OpenAPI can refer to them. */
class Components {
  readonly schemas: Record<string, JsonObject> = {};

  add(schema: z.ZodType, fallbackName: string, io: "input" | "output"): JsonObject {
    const name = named.get(schema) ?? fallbackName;
    const reference = { $ref: `#/components/schemas/${name}` };
    if (this.schemas[name]) return reference;
    const made = z.toJSONSchema(schema, { io, unrepresentable: "any" });
    const text = JSON.stringify(made)
      .replaceAll('"$ref":"#/$defs/', `"$ref":"#/components/schemas/${name}.`)
      .replaceAll('"$ref":"#"', `"$ref":"${reference.$ref}"`);
    const { $defs = {}, $schema: _dialect, ...rest } = JSON.parse(text);
    this.schemas[name] = rest;
    for (const [key, definition] of Object.entries<JsonObject>($defs)) {
      this.schemas[`${name}.${key}`] = definition;
    }
    return reference;
  }
}

function operationFrom(route: Route, components: Components): JsonObject {
  const id = operationId(route);
  const responses: Record<string, JsonObject> = {};
  for (const [status, shape] of Object.entries(route.answers)) {
    responses[status] = responseFrom(shape, `${id}Answer`, components);
  }
  const error = components.add(protocol.WireErrorBody, "WireErrorBody", "output");
  responses["default"] = {
    description: "It failed",
    content: { "application/json": { schema: error } },
  };
  const parameters = [...parametersFrom(route.path), ...queryParameters(route.query)];
  return {
    operationId: id,
    summary: route.summary,
    ...(route.access === "open" && { security: [] }),
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && {
      requestBody: {
        content: {
          "application/json": { schema: components.add(route.body, `${id}Body`, "input") },
        },
      },
    }),
    responses,
  };
}

function responseFrom(shape: AnswerShape, name: string, components: Components): JsonObject {
  const { description, schema, contentType } = shape;
  if (schema) {
    const reference = components.add(schema, name, "output");
    return { description, content: { [contentType ?? "application/json"]: { schema: reference } } };
  }
  return contentType ? { description, content: { [contentType]: {} } } : { description };
}

function parametersFrom(path: string): JsonObject[] {
  return [...path.matchAll(/\{([a-z_]+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
}

function queryParameters(query: z.ZodObject | undefined): JsonObject[] {
  if (!query) return [];
  const { properties = {} } = z.toJSONSchema(query, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: "query",
    required: false,
    schema: JSON.parse(JSON.stringify(schema)),
  }));
}

/** `POST /sessions/{session_id}/message` is `postSessionsOneMessage`. */
function operationId(route: Route): string {
  const words = route.path
    .replaceAll(/\{[a-z_]+\}/g, "one")
    .split(/[^a-z]+/)
    .filter(Boolean)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${route.method.toLowerCase()}${words.join("") || "Root"}`;
}
