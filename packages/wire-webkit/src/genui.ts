import { CatalogEntry, wireError } from "@turnwire/protocol";
import * as z from "zod";
import { type WireHost, json, refused, type Route } from "@turnwire/wire";

const serverName = "turnwire";
const prefix = "render_";

const GenUiSchema = z.object({
  version: z.literal("1.0"),
  server_name: z.string(),
  prefix: z.string(),
  tools: z.array(
    z.object({
      name: z.string(),
      short_name: z.string(),
      raw_tool_name: z.string(),
      description: z.string(),
      schema: CatalogEntry.shape.props_schema,
    }),
  ),
});

/** The server's catalog as agent-webkit has it; open, as it is there: it names what any page of the server can show. */
export function genUiRoute(host: WireHost): Route {
  return {
    method: "GET",
    path: "/genui/schema",
    summary: "List the components of the server's catalog as agent-webkit does",
    access: "open",
    answers: { 200: { description: "The components", schema: GenUiSchema } },
    handle() {
      if (host.catalog.length === 0) {
        return refused(wireError("not_found", "The server has no catalog of components."));
      }
      return json(200, {
        version: "1.0",
        server_name: serverName,
        prefix,
        tools: host.catalog.map(toolOf),
      });
    },
  };
}

function toolOf({ name, description, props_schema: schema }: CatalogEntry) {
  const raw = `${prefix}${name}`;
  return {
    name: `mcp__${serverName}__${raw}`,
    short_name: name,
    raw_tool_name: raw,
    description,
    schema,
  };
}
