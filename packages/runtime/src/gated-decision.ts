import { errorText } from "@turnwire/base";
import { isStricter } from "@turnwire/policy";
import type { GatedCall, PolicyDecision, ToolGate } from "./tool-gate.ts";

/** What a gate decides; one that fails lets nothing through. */
export async function decisionOn(
  gate: ToolGate,
  call: GatedCall,
): Promise<PolicyDecision | undefined> {
  try {
    return await gate.judge(call);
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

/** The strictest of several decisions, the first of equals. */
export function strictest(
  decisions: readonly (PolicyDecision | undefined)[],
): PolicyDecision | undefined {
  return decisions.reduce(
    (found, next) => (next && (!found || isStricter(next.verdict, found.verdict)) ? next : found),
    undefined,
  );
}

/** A refusal, in words for the model. */
export function refusalText({ reason, rule, mode }: PolicyDecision): string {
  return `The policy of this session refused that (mode ${mode}, rule ${rule}): ${reason}`;
}
