import type { JsonObject, ModeInfo } from "@turnwire/protocol";
import * as z from "zod";
import type { Memory } from "./memory.ts";

export const permissionModes = ["default", "acceptEdits", "plan", "bypassPermissions"] as const;

/** Modes that never prompt. */
export const adminModes: readonly string[] = ["bypassPermissions"];

export const modeInfo: Record<(typeof permissionModes)[number], ModeInfo> = {
  default: {
    label: "Ask before changes",
    description: "Asks before it edits a file or runs a command.",
    risk: "asks",
  },
  acceptEdits: {
    label: "Accept edits",
    description: "Edits files without asking; asks before it runs a command.",
    risk: "asks",
  },
  plan: {
    label: "Plan only",
    description: "Makes a plan and changes nothing until you approve it.",
    risk: "none",
  },
  bypassPermissions: {
    label: "Full access",
    description: "Edits files and runs commands without asking.",
    risk: "full",
  },
};

const editingTools = new Set(["Edit", "Write"]);

/** Whether a tool may run now, needs a person, or must wait until planning is over. */
export function permissionFor(memory: Memory, tool: string): "allow" | "ask" | "plan_only" {
  if (memory.permissionMode === "bypassPermissions") return "allow";
  if (memory.permissionMode === "plan") return "plan_only";
  if (memory.permissionMode === "acceptEdits" && editingTools.has(tool)) return "allow";
  return memory.allowedTools.has(tool) ? "allow" : "ask";
}

const Rules = z.object({ rules: z.array(z.object({ toolName: z.string() })) });

/** The tools that a person allowed for the session. */
export function toolsFrom(grants: readonly JsonObject[]): ReadonlySet<string> {
  const rules = grants.flatMap((grant) => Rules.safeParse(grant).data?.rules ?? []);
  return new Set(rules.map(({ toolName }) => toolName));
}
