import type { Memory } from "./memory.ts";

export const permissionModes = ["default", "acceptEdits", "plan", "bypassPermissions"] as const;

/** The modes that ask no one. */
export const adminModes: readonly string[] = ["bypassPermissions"];

const editingTools = new Set(["Edit", "Write"]);

/** Whether a tool may run now, needs a person, or must wait until planning is over. */
export function permissionFor(memory: Memory, tool: string): "allow" | "ask" | "plan_only" {
  if (memory.permissionMode === "bypassPermissions") return "allow";
  if (memory.permissionMode === "plan") return "plan_only";
  if (memory.permissionMode === "acceptEdits" && editingTools.has(tool)) return "allow";
  return memory.allowedTools.has(tool) ? "allow" : "ask";
}
