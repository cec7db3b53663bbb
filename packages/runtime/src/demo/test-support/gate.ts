import type { ToolGate } from "../../tool-gate.ts";

/** A gate that refuses what has the word `--force`, asks about `curl`, and allows the rest. */
export function wordGate(): ToolGate {
  return {
    sandbox: "write_inside",
    judge: async ({ tool, input, toolUseId }) => {
      const text = JSON.stringify(input);
      const verdict = text.includes("--force") ? "deny" : text.includes("curl") ? "ask" : "allow";
      return {
        tool,
        ...(toolUseId !== undefined && { tool_use_id: toolUseId }),
        verdict,
        rule: `rule-${verdict}`,
        reason: `a reason to ${verdict}`,
        mode: "words",
        policy_version: "1",
      };
    },
  };
}
