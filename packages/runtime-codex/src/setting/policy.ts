import type { ModeInfo } from "@turnwire/protocol";
import { RuntimeError, type SandboxNeed } from "@turnwire/runtime";
import type { CodexParams } from "./options.ts";

export type ApprovalPolicy = "untrusted" | "on-request" | "never";
export type SandboxMode = "read-only" | "workspace-write" | "danger-full-access";

/** What the agent may do unasked, and where. */
export interface Policy {
  readonly approvalPolicy: ApprovalPolicy;
  readonly sandbox: SandboxMode;
  /** Whether the agent only plans. */
  readonly isPlan: boolean;
}

/** The permission modes: `default` asks for every command and every change. */
const policies = {
  default: { approvalPolicy: "untrusted", sandbox: "workspace-write", isPlan: false },
  auto: { approvalPolicy: "on-request", sandbox: "workspace-write", isPlan: false },
  plan: { approvalPolicy: "untrusted", sandbox: "read-only", isPlan: true },
  "read-only": { approvalPolicy: "on-request", sandbox: "read-only", isPlan: false },
  "full-access": { approvalPolicy: "never", sandbox: "danger-full-access", isPlan: false },
} as const satisfies Record<string, Policy>;

type Mode = keyof typeof policies;

export const permissionModes: readonly string[] = Object.keys(policies);
/** Modes that never prompt and disable nothing. */
export const adminModes: readonly string[] = ["full-access"];

export const modeInfo: Record<Mode, ModeInfo> = {
  default: {
    label: "Ask before changes",
    description: "Asks before it edits a file or runs a command.",
    risk: "asks",
  },
  auto: {
    label: "Work in the sandbox",
    description: "Edits and runs commands inside the project; asks before anything beyond it.",
    risk: "asks",
  },
  plan: {
    label: "Plan only",
    description: "Reads and makes a plan; changes nothing.",
    risk: "none",
  },
  "read-only": {
    label: "Read only",
    description: "Reads freely; asks before anything else.",
    risk: "asks",
  },
  "full-access": {
    label: "Full access",
    description: "Edits files and runs commands without asking, outside any sandbox.",
    risk: "full",
  },
};

/** A session's policy: its mode, narrowed by its params. */
export function policyFor(mode: string, params: CodexParams): Policy {
  if (!isMode(mode)) {
    throw new RuntimeError(
      "invalid_input",
      `Codex has no permission mode ${JSON.stringify(mode)}.`,
    );
  }
  const { approval_policy, sandbox } = params;
  const policy: Policy = {
    ...policies[mode],
    ...(approval_policy !== undefined && { approvalPolicy: approval_policy }),
    ...(sandbox !== undefined && { sandbox }),
  };
  // Outside the sandbox `on-request` asks for nothing either; params must not be a way round the check for admins.
  const isUnbound =
    policy.sandbox === "danger-full-access" && policy.approvalPolicy !== "untrusted";
  if (isUnbound && !adminModes.includes(mode)) {
    throw new RuntimeError(
      "invalid_input",
      `The sandbox danger-full-access with the approval policy ${policy.approvalPolicy} asks no one: choose the permission mode full-access for that.`,
    );
  }
  return policy;
}

const sandboxesFor = {
  read_only: "read-only",
  write_inside: "workspace-write",
  off: "danger-full-access",
} as const satisfies Record<SandboxNeed, SandboxMode>;

const byStrictness: readonly SandboxMode[] = ["read-only", "workspace-write", "danger-full-access"];

/** The sandbox that holds a policy mode and a permission mode at once: the stricter one. */
export function sandboxWith(sandbox: SandboxMode, need: SandboxNeed | undefined): SandboxMode {
  const needed = need === undefined ? sandbox : sandboxesFor[need];
  return byStrictness.find((candidate) => candidate === sandbox || candidate === needed) ?? sandbox;
}

/**
 * What a session runs with while a policy mode is in force: Codex asks about everything, and the
 * policy answers. In 0.166.0 an accepted command that fails in the sandbox runs again outside of it.
 */
export function gatedPolicy(policy: Policy, need: SandboxNeed | undefined): Policy {
  if (need === undefined) return policy;
  return {
    ...policy,
    approvalPolicy: "untrusted",
    sandbox: sandboxWith(policy.sandbox, need),
  };
}

function isMode(name: string): name is Mode {
  return Object.hasOwn(policies, name);
}

/** The sandbox as a turn takes it: an object, where a thread takes a word. */
export function sandboxPolicyFrom(sandbox: SandboxMode): object {
  switch (sandbox) {
    case "read-only":
      return { type: "readOnly", networkAccess: false };
    case "workspace-write":
      return {
        type: "workspaceWrite",
        writableRoots: [],
        networkAccess: false,
        excludeTmpdirEnvVar: false,
        excludeSlashTmp: false,
      };
    case "danger-full-access":
      return { type: "dangerFullAccess" };
  }
}
