import { errorText } from "@turnwire/base";
import type { GatedCall, PolicyDecision, ToolGate } from "./tool-gate.ts";

/** What a gate decides; one that fails lets nothing through. */
export function decisionOn(gate: ToolGate, call: GatedCall): PolicyDecision | undefined {
  try {
    return gate.judge(call);
  } catch (error) {
    const { tool, toolUseId } = call;
    return {
      ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
      tool,
      verdict: "deny",
      rule: "gate-failed",
      reason: `the policy could not judge this: ${errorText(error)}`,
      mode: "unknown",
      policy_version: "unknown",
    };
  }
}

/** A refusal, in words for the model. */
export function refusalText({ reason, rule, mode }: PolicyDecision): string {
  return `The policy of this session refused that (mode ${mode}, rule ${rule}): ${reason}`;
}
