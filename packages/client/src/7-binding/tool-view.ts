import { isObject } from "@turnwire/base";
import {
  entryOf,
  outputText,
  toolComponentId,
  type Block,
  type CatalogEntry,
  type JsonObject,
  type JsonValue,
  type Surface,
  type ToolBlock,
} from "@turnwire/protocol";
import { partialObject } from "./partial-json.ts";
import type { PlacedComponent } from "./placed-component.ts";

/** How a tool use is shown: by a component, by nothing (what it did stands elsewhere), or as a tool use. */
export type ToolView =
  | { readonly type: "component"; readonly placed: PlacedComponent }
  | { readonly type: "nothing" }
  | { readonly type: "tool" };

export interface ToolViewContext {
  readonly catalog: readonly CatalogEntry[];
  /** Whether this page has a component of that name. */
  readonly has: (name: string) => boolean;
}

const nothing: ToolView = { type: "nothing" };
const tool: ToolView = { type: "tool" };

/** How the chat shows a tool use; `around` are the blocks that it stands among. */
export function toolView(
  block: ToolBlock,
  context: ToolViewContext,
  around: readonly Block[] = [],
): ToolView {
  if (block.ui_tool !== undefined) return uiToolView(block, context, around);
  const placed = mappedComponent(block, context);
  return placed?.surface === "chat" ? { type: "component", placed } : tool;
}

/** The component that the catalog gives a tool use, on whatever surface. */
export function mappedComponent(
  block: ToolBlock,
  { catalog, has }: ToolViewContext,
): PlacedComponent | undefined {
  for (const entry of catalog) {
    const mapping = entry.tools?.find(({ tool: name }) => name === block.tool);
    const surface = mapping && (mapping.surface ?? entry.surfaces[0]);
    if (!surface || !has(entry.name)) continue;
    return placedTool(block, entry.name, surface);
  }
  return undefined;
}

function placedTool(block: ToolBlock, name: string, surface: Surface): PlacedComponent {
  return {
    component_id: toolComponentId(block.tool_use_id),
    name,
    surface,
    props: { ...inputOf(block), ...resultOf(block) },
    ...statusOf(block),
    ...(block.attachments && {
      load: async (session) => placedTool(await session.restore(block), name, surface),
    }),
  };
}

/** The component that `render_component` will show, while the model still writes it. A change of a shown component is not shown early. */
export function earlyComponent(
  block: ToolBlock,
  { catalog, has }: ToolViewContext,
): PlacedComponent | undefined {
  if (block.ui_tool !== "render_component" || !isUnderWay(block)) return undefined;
  const { component_id, name, surface: chosen, props } = inputOf(block);
  if (component_id !== undefined || typeof name !== "string" || !has(name)) return undefined;
  // It is written before the props.
  const surface = chosen ?? entryOf(catalog, name)?.surfaces[0];
  if (!isSurface(surface) || !isProps(props)) return undefined;
  const id = toolComponentId(block.tool_use_id);
  return { component_id: id, name, surface, props, status: "loading" };
}

function uiToolView(
  block: ToolBlock,
  context: ToolViewContext,
  around: readonly Block[],
): ToolView {
  if (block.status === "failed" || block.status === "abandoned") return tool;
  const { name, component_name } = inputOf(block);
  const shown = name ?? component_name;
  const isMissing = typeof shown === "string" && !context.has(shown);
  if (isMissing && !isUnderWay(block)) return tool;
  const isThere = around.some(
    (other) => other.type === "component" && other.tool_use_id === block.tool_use_id,
  );
  const placed = isThere ? undefined : earlyComponent(block, context);
  return placed?.surface === "chat" ? { type: "component", placed } : nothing;
}

function isUnderWay({ status }: ToolBlock): boolean {
  return status === "preparing" || status === "running";
}

const noInput: JsonObject = {};

/** The input, or as much of it as has streamed in. */
function inputOf({ input, partial_input }: ToolBlock): JsonObject {
  if (isProps(input)) return input;
  return (partial_input !== undefined && partialObject(partial_input)) || noInput;
}

/** A result that is an object gives its members to the component, any other one is its property `output`. */
function resultOf({ status, output }: ToolBlock): JsonObject {
  if (status !== "done" || output === undefined) return noInput;
  const value = isProps(output) ? output : valueFrom(outputText(output));
  return isProps(value) ? value : { output: value };
}

/** MCP tools answer in text, often with JSON in it. */
function valueFrom(text: string): JsonValue {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function statusOf({ status, output }: ToolBlock): Pick<PlacedComponent, "status" | "error"> {
  switch (status) {
    case "preparing":
    case "running":
      return { status: "loading" };
    case "done":
      return { status: "ready" };
    case "failed":
    case "abandoned":
      return { status: "error", error: outputText(output).trim() || "The tool did not end." };
  }
}

const surfaces: ReadonlySet<unknown> = new Set<Surface>([
  "chat",
  "sidebar",
  "panel",
  "overlay",
  "canvas",
]);

function isSurface(value: unknown): value is Surface {
  return surfaces.has(value);
}

function isProps(value: JsonValue | undefined): value is JsonObject {
  return isObject(value);
}
