import type { CatalogEntry, JsonObject, Surface } from "@turnwire/protocol";

const everywhere: Surface[] = ["chat", "sidebar", "panel", "overlay", "canvas"];
const text = { type: "string" };
const texts = { type: "array", items: text };
const title = { type: "string", description: "A heading" };

/** What the web app can show, as agents learn of it. A test holds it against the app's own components. */
export const webAppCatalog: readonly CatalogEntry[] = [
  entry("table", "Rows and columns that the person can sort. A click on an action is a callback.", {
    properties: {
      title,
      columns: texts,
      rows: {
        type: "array",
        items: { type: "array", items: { type: ["string", "number", "boolean", "null"] } },
      },
      actions: { ...texts, description: "Buttons below the table" },
    },
    required: ["columns", "rows"],
  }),
  entry("chart", "Numbers as bars or as a line.", {
    properties: {
      title,
      kind: { enum: ["bar", "line"], description: "bar by default" },
      data: { type: "array", items: { type: "number" } },
      labels: { ...texts, description: "One for each number" },
    },
    required: ["data"],
  }),
  entry("form", "Asks for values; they come back as the answer, or as the callback submit.", {
    properties: {
      title,
      description: text,
      schema: {
        type: "object",
        description: "JSON Schema of an object; each property is a field",
        properties: {
          properties: {
            type: "object",
            additionalProperties: {
              type: "object",
              properties: {
                type: { enum: ["string", "number", "integer", "boolean"] },
                title: text,
                description: text,
                enum: texts,
                format: { type: "string", description: "multiline: a large text field" },
              },
            },
          },
          required: texts,
        },
        required: ["properties"],
      },
      submit_label: text,
    },
    required: ["schema"],
  }),
  entry(
    "plan_editor",
    "Steps that the person can reorder and rewrite; they come back as {approved, steps}, or as the callback save.",
    {
      properties: {
        title,
        steps: {
          type: "array",
          items: { type: "object", properties: { text }, required: ["text"] },
        },
      },
      required: ["steps"],
    },
  ),
  entry("diff", "Changes of files.", {
    properties: { title, unified: { type: "string", description: "A unified diff" } },
    required: ["unified"],
  }),
  entry("progress", "How far something is; without percent, only that it is under way.", {
    properties: { title, percent: { type: "number", minimum: 0, maximum: 100 }, note: text },
  }),
  entry("approval", "Something that needs the person's approval: use it with ask_user.", {
    properties: {
      action: { type: "string", description: "What would be done" },
      details: text,
      options: { ...texts, description: "approve and reject by default; the first approves" },
    },
    required: ["action"],
  }),
  entry("proof", "An image that shows that something is so, such as a screenshot.", {
    properties: {
      title,
      src: {
        type: "string",
        pattern: "^data:image/(png|jpeg|gif|webp);base64,",
        description: "A data URL in base64: PNG, JPEG, GIF or WebP",
      },
      alt: { type: "string", minLength: 1, description: "What the image shows, in words" },
      caption: text,
    },
    required: ["src", "alt"],
  }),
];

function entry(name: string, description: string, schema: JsonObject): CatalogEntry {
  return { name, description, props_schema: { type: "object", ...schema }, surfaces: everywhere };
}
