import type { ModeInfo } from "@turnwire/protocol";
import { checkParams, paramsFrom, type RunOptions, RuntimeError } from "@turnwire/runtime";
import { CodexParams } from "../setting/options.ts";
import { type SandboxMode, sandboxWith } from "../setting/policy.ts";
import { checkSandboxHolds } from "./sandbox-hold.ts";
import type { ExecTurn } from "./turn-process.ts";

/** No person can be asked, so a mode is only how far the agent reaches. */
const sandboxes = {
  "read-only": "read-only",
  "workspace-write": "workspace-write",
  "full-access": "danger-full-access",
} as const satisfies Record<string, SandboxMode>;

export const execModes: readonly string[] = Object.keys(sandboxes);
export const execAdminModes: readonly string[] = ["full-access"];

export const execModeInfo: Record<keyof typeof sandboxes, ModeInfo> = {
  "read-only": {
    label: "Read only",
    description: "Reads files and changes nothing; never asks.",
    risk: "none",
  },
  "workspace-write": {
    label: "Work in the sandbox",
    description: "Edits and runs commands inside the project and nowhere else; never asks.",
    risk: "asks",
  },
  "full-access": {
    label: "Full access",
    description: "Edits files and runs commands without asking, outside any sandbox.",
    risk: "full",
  },
};

const defaultMode = "read-only";

/** The settings of a session's next turn. */
export class ExecSettings {
  readonly #run: RunOptions;
  readonly #params: CodexParams;
  readonly #defaultModel: string | undefined;
  #model: string | undefined;
  #effort: string | undefined;
  #sandbox: SandboxMode;

  /** Throws a RuntimeError where the session's mode or params make no sense. */
  constructor(run: RunOptions, defaultModel: string | undefined) {
    this.#run = run;
    this.#params = paramsFrom(CodexParams, run.params);
    this.#defaultModel = defaultModel;
    this.#model = run.model;
    this.#effort = run.effort;
    this.#sandbox = sandboxFor(run.permissionMode ?? defaultMode, this.#params);
  }

  setModel(model: string | null): void {
    this.#model = model ?? undefined;
  }

  setEffort(effort: string | null): void {
    this.#effort = effort ?? undefined;
  }

  setMode(mode: string): void {
    this.#sandbox = sandboxFor(mode, this.#params);
  }

  /** The sandbox of a turn that starts now. */
  get sandbox(): SandboxMode {
    return sandboxWith(this.#sandbox, this.#run.gate?.sandbox);
  }

  /** Rejects with a RuntimeError where the policy mode in force needs more than a sandbox. */
  async checkPolicyMode(): Promise<void> {
    const { gate, cwd } = this.#run;
    if (gate) await checkSandboxHolds(gate, cwd);
  }

  /** Whether the policy mode in force still lets a turn run that started with this sandbox. */
  async isHeldBy(sandbox: SandboxMode): Promise<boolean> {
    const need = this.#run.gate?.sandbox;
    if (need === undefined) return true;
    try {
      await this.checkPolicyMode();
    } catch {
      return false;
    }
    return sandboxWith(sandbox, need) === sandbox;
  }

  /** Rejects with a RuntimeError where the policy mode in force needs more than a sandbox. */
  async turnFor(prompt: string, threadId: string | undefined): Promise<ExecTurn> {
    await this.checkPolicyMode();
    return {
      run: this.#run,
      prompt,
      threadId,
      sandbox: this.sandbox,
      model: this.#model ?? this.#defaultModel,
      effort: this.#effort,
    };
  }
}

/** Rejects with a RuntimeError where the session's mode and params make no sense, or its policy mode needs more than a sandbox. */
export async function checkExecSession({
  params,
  permissionMode = defaultMode,
  gate,
  cwd,
}: Pick<RunOptions, "params" | "permissionMode" | "gate" | "cwd">): Promise<void> {
  checkParams(CodexParams, params);
  sandboxFor(permissionMode, paramsFrom(CodexParams, params));
  if (gate) await checkSandboxHolds(gate, cwd);
}

function sandboxFor(mode: string, params: CodexParams): SandboxMode {
  if (!isMode(mode)) {
    throw new RuntimeError(
      "invalid_input",
      `Codex has no permission mode ${JSON.stringify(mode)} here.`,
    );
  }
  const { sandbox = sandboxes[mode] } = params;
  // Params must not be a way round the check for admins.
  if (sandbox === "danger-full-access" && !execAdminModes.includes(mode)) {
    throw new RuntimeError(
      "invalid_input",
      "Choose the permission mode full-access for the sandbox danger-full-access.",
    );
  }
  return sandbox;
}

function isMode(name: string): name is keyof typeof sandboxes {
  return Object.hasOwn(sandboxes, name);
}
