import type { Clock } from "@turnwire/base";
import { PolicyRule } from "@turnwire/protocol";
import { createSharedList, type Sharing } from "@turnwire/log/list";
import type { PolicyRuleStore } from "./rule-store.ts";

export interface SharedPolicyRulesOptions {
  readonly clock: Clock;
  readonly onError: (error: unknown) => void;
}

/** Rules that all hosts of a store have in common. */
export function createSharedPolicyRules(
  sharing: Sharing,
  { clock, onError }: SharedPolicyRulesOptions,
): PolicyRuleStore {
  return createSharedList(sharing, {
    key: "policy-rules",
    item: PolicyRule,
    damaged: "The policy rules in the store are damaged: none is in force. Add them again.",
    clock,
    onError,
  });
}
