import * as z from "zod";
import { Surface } from "./surface.ts";
import { JsonPointer } from "../json/json-patch.ts";
import { JsonObject } from "../json/json.ts";
import { limits } from "./limit.ts";

const ToolMapping = z.object({
  tool: z
    .string()
    .min(1)
    .max(200)
    .describe("The tool as `tool_start` names it, for example `mcp__weather__forecast`."),
  surface: Surface.optional().describe(
    "Where its calls are shown; by default the first of `surfaces`.",
  ),
});

/** A component that a UI can show, as the agent learns of it. */
export const CatalogEntry = z
  .object({
    name: z
      .string()
      .max(64)
      .regex(/^[a-z][a-z0-9_]*$/, "lower-case letters, digits and _, starting with a letter")
      .describe("The component's name: 1 to 64 lower-case letters, digits or `_`."),
    description: z
      .string()
      .min(1)
      .max(2000)
      .describe("What it shows and when to use it; the model reads this."),
    props_schema: JsonObject.describe(
      "JSON Schema (draft 2020-12) of its properties, an object. References stay within it.",
    ),
    surfaces: z.array(Surface).min(1).max(5).describe("Where it may be shown."),
    tools: z
      .array(ToolMapping)
      .max(20)
      .optional()
      .describe("Tools whose calls it shows, as the component `tool:` and the `tool_use_id`."),
    state_key: JsonPointer.optional().describe(
      "A place in the shared state, as a JSON Pointer: it is shown with the value there as its properties while there is one, as the component `state:` and its name.",
    ),
    surface_for_state: Surface.optional().describe(
      "Where it is shown for its `state_key`; by default the first of `surfaces`.",
    ),
    callbacks: z
      .enum(["prompt", "next_turn"])
      .optional()
      .describe(
        "What a person did in it: `prompt` (the default) makes it a message to the agent; `next_turn` keeps it for the next message.",
      ),
  })
  .meta({ id: "CatalogEntry" })
  .describe("A component that can be shown.");
export type CatalogEntry = z.infer<typeof CatalogEntry>;

/** Entries as a client sends them. A key that is not known is an error, so that a misspelt one is not lost. */
export const CatalogEntries = z
  .array(CatalogEntry.strict())
  .min(1)
  .max(limits.catalogEntries)
  .describe("Components that can be shown.");

/** The state of a component, in its property `status`. */
export const ComponentStatus = z.enum(["loading", "ready", "error"]);
export type ComponentStatus = z.infer<typeof ComponentStatus>;
