import { UiTool } from "@turnwire/protocol";

/** The name that the agent's tools carry: `mcp__turnwire__render_component`. */
export const toolServerName = "turnwire";

const prefix = `mcp__${toolServerName}__`;

/** Which of our UI tools a tool of Claude is, if it is one. */
export function uiToolFrom(tool: string): { ui_tool?: UiTool } {
  if (!tool.startsWith(prefix)) return {};
  const parsed = UiTool.safeParse(tool.slice(prefix.length));
  return parsed.success ? { ui_tool: parsed.data } : {};
}
