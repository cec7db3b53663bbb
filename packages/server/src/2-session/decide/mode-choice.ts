import {
  accepted,
  type Capabilities,
  type CreateSession,
  rejected,
  type Result,
  type Principal,
} from "@turnwire/protocol";
import { isLooser, type Policy, unknownMode } from "@turnwire/policy";
import type { PolicySource } from "../policy/policy-source.ts";

interface ModeContext {
  readonly policy: PolicySource;
  readonly cwd: string;
  readonly principal: Pick<Principal, "isAdmin">;
  readonly capabilities: Pick<Capabilities, "tool_policy">;
  /** What the session has if it chooses nothing; nothing looser may be chosen but by an admin. */
  readonly defaultPolicyMode: string | undefined;
}

/** The policy mode of a new session, when it may have it. */
export async function policyModeOf(
  { policy_mode: wished }: Pick<CreateSession, "policy_mode">,
  { policy: source, cwd, principal, capabilities, defaultPolicyMode }: ModeContext,
): Promise<Result<string | undefined>> {
  const mode = (wished === undefined ? defaultPolicyMode : wished) ?? undefined;
  if (mode === undefined && defaultPolicyMode === undefined) return accepted(undefined);
  if (mode !== undefined && !capabilities.tool_policy) {
    return rejected(
      "capability_missing",
      `policy_mode: this runtime asks no policy before it uses a tool, so mode ${mode} would not hold.`,
      { capability: "tool_policy", field: "policy_mode" },
    );
  }
  await source.prepare?.(cwd);
  const { policy } = source.current(cwd);
  const refusal = refusePolicyMode({
    policy,
    from: defaultPolicyMode,
    to: mode,
    isAdmin: principal.isAdmin,
  });
  return refusal ?? accepted(mode);
}

export interface ModeChange {
  readonly policy: Policy;
  /** The mode now; undefined: none. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly isAdmin: boolean;
}

/** Refuses a mode that there is not, and a looser one to all but admins. */
export function refusePolicyMode({
  policy,
  from,
  to,
  isAdmin,
}: ModeChange): ReturnType<typeof rejected> | undefined {
  if (to !== undefined && !policy.modes.has(to)) {
    return rejected("unknown_policy_mode", unknownMode(policy, to), {
      policy_modes: [...policy.modes.keys()],
    });
  }
  if (from === to || isAdmin || !isLooser(policy, { from, to })) return undefined;
  const change = to === undefined ? "No policy mode" : `Policy mode ${to}`;
  const present = from === undefined ? "none" : from;
  return rejected(
    "policy_loosening_not_allowed",
    `${change} allows more than ${present}: only an admin may choose it.`,
    { from: from ?? null, to: to ?? null },
  );
}
