import { type CatalogEntry, UiTool } from "@turnwire/protocol";
import { uiTools } from "@turnwire/runtime/ui-tool";

/** Our own tools have a namespace, so that neither Codex's nor the UI's can be mistaken for them. */
export const uiNamespace = "turnwire";

/** Which of our UI tools a tool of Codex is, if it is one. */
export function uiToolFrom(
  namespace: string | null | undefined,
  tool: string,
): { ui_tool?: UiTool } {
  if (namespace !== uiNamespace) return {};
  const parsed = UiTool.safeParse(tool);
  return parsed.success ? { ui_tool: parsed.data } : {};
}

/** Our tools as `thread/start` takes them. */
export function uiNamespaceTools(catalog: readonly CatalogEntry[]): object {
  const tools = uiTools(catalog).map(({ name, description, inputSchema }) => ({
    type: "function",
    name,
    description,
    inputSchema,
  }));
  const description = "Shows components in the user interface and shares a document with it.";
  return { type: "namespace", name: uiNamespace, description, tools };
}
