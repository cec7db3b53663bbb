import type { EventData, RequestPolicy } from "@turnwire/protocol";
import type { ConfinementNeed } from "./containment/confinement.ts";

/** A use of a tool that an agent wants to make, in the words of the policy's rules: `Bash` has a `command`, `Write` a `file_path`. */
export interface GatedCall {
  readonly tool: string;
  readonly input: unknown;
  readonly toolUseId?: string;
  /** Where the agent works at this moment, if it moved: relative paths start here. The session's directory by default. */
  readonly cwd?: string;
  /** Whether a command runs where the kernel holds it to the mode, if the policy allows it. By default it does not. */
  readonly isContained?: boolean;
}

/** What the policy says about a call; the runtime emits it as it is, through its own messages. */
export type PolicyDecision = EventData<"policy_decision">;

/** What a policy mode needs of a runtime's own sandbox: `write_inside` lets commands write inside the session's roots only. */
export type SandboxNeed = "read_only" | "write_inside" | "off";

/**
 * Decides about every use of a tool, before it runs, in every permission mode. One object per
 * session; it reads what is in force at that moment, so a change applies to the next call.
 */
export interface ToolGate {
  /** Undefined: the session has no policy mode, and the runtime's own permission mode decides alone. Never rejects. */
  judge(call: GatedCall): Promise<PolicyDecision | undefined>;
  /** Undefined: the session has no policy mode. */
  readonly sandbox: SandboxNeed | undefined;
  /** The bounds that the kernel has to keep for allowed commands; undefined where there is no policy mode, or one that allows everything. */
  readonly confinement?: ConfinementNeed | undefined;
}

/** The part of a decision that a `permission_request` carries. */
export function requestPolicy(decision: PolicyDecision): RequestPolicy {
  const { rule, reason, mode, policy_version, suggested_rule, containment } = decision;
  return {
    rule,
    reason,
    mode,
    policy_version,
    ...(suggested_rule && { suggested_rule }),
    ...(containment && { containment }),
  };
}
