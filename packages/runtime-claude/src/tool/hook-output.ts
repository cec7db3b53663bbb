import type { HookJSONOutput } from "@anthropic-ai/claude-agent-sdk";
import { JsonObject } from "@turnwire/protocol";
import * as z from "zod";

/** What a PreToolUse hook may say that matters to a policy. */
const ToolHookOutput = z.looseObject({
  continue: z.boolean().optional(),
  decision: z.string().optional(),
  hookSpecificOutput: z
    .looseObject({
      permissionDecision: z.string().optional(),
      updatedInput: JsonObject.optional(),
    })
    .optional(),
});
export type ToolHookOutput = z.infer<typeof ToolHookOutput>;

/** Undefined where it cannot be read. */
export function toolHookOutputFrom(output: HookJSONOutput): ToolHookOutput | undefined {
  return ToolHookOutput.safeParse(output).data;
}

export function isRefusal(output: ToolHookOutput): boolean {
  const decision = output.hookSpecificOutput?.permissionDecision;
  return output.continue === false || output.decision === "block" || decision === "deny";
}

/** Whether a hook leaves the decision to someone else: a person, or a later process. */
export function isUndecided({ hookSpecificOutput }: ToolHookOutput): boolean {
  const decision = hookSpecificOutput?.permissionDecision;
  return decision === "ask" || decision === "defer";
}

export function refuse(reason: string): HookJSONOutput {
  return toolDecision({ permissionDecision: "deny", permissionDecisionReason: reason });
}

export function toolDecision(decision: {
  readonly permissionDecision: "allow" | "ask" | "deny";
  readonly permissionDecisionReason: string;
  readonly updatedInput?: JsonObject;
}): HookJSONOutput {
  return { hookSpecificOutput: { hookEventName: "PreToolUse", ...decision } };
}
