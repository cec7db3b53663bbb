import type { Capabilities } from "@turnwire/protocol";

/** False only where the runtime says that it cannot take an input that was changed. */
export function canEditInput(capabilities: Capabilities): boolean {
  return !("edit_tool_input" in capabilities) || capabilities.edit_tool_input !== false;
}
