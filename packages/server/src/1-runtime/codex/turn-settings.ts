import type { Capabilities } from "@turnwire/protocol";
import type { RunOptions } from "../runtime.ts";
import { codexCapabilities } from "./capabilities.ts";
import { type CodexParams, paramsFrom } from "./options.ts";
import { type Policy, policyFor, sandboxPolicyFrom } from "./policy.ts";

/** What a session's next turn runs with: model, effort, and what it may do. */
export class TurnSettings {
  readonly #params: CodexParams;
  readonly #defaultModel: string | undefined;
  #model: string | undefined;
  #policy: Policy;
  #hadPlan = false;

  /** Throws a RuntimeError where the session's mode or params make no sense. */
  constructor(run: RunOptions, defaultModel: string | undefined) {
    this.#params = paramsFrom(run.params);
    this.#policy = policyFor(run.permissionMode ?? "default", this.#params);
    this.#defaultModel = defaultModel;
    this.#model = run.model;
  }

  get policy(): Policy {
    return this.#policy;
  }

  get model(): string | undefined {
    return this.#model ?? this.#defaultModel;
  }

  setModel(model: string | null): void {
    this.#model = model ?? undefined;
  }

  setMode(mode: string): void {
    this.#policy = policyFor(mode, this.#params);
  }

  /** The params of a turn; `threadModel` is what the thread has chosen by itself. */
  paramsFor(threadModel: string): object {
    const { approvalPolicy, sandbox, isPlan } = this.#policy;
    const { effort } = this.#params;
    const model = this.model ?? threadModel;
    const settings = { model, reasoning_effort: effort ?? null, developer_instructions: null };
    const collaborationMode = { mode: isPlan ? "plan" : "default", settings };
    // The mode stays until another is told.
    const isModeTold = isPlan || this.#hadPlan;
    this.#hadPlan = isPlan;
    return {
      approvalPolicy,
      sandboxPolicy: sandboxPolicyFrom(sandbox),
      model,
      ...(effort !== undefined && { effort }),
      ...(isModeTold && { collaborationMode }),
    };
  }

  capabilitiesWith(models: Capabilities["models"]): Capabilities {
    return { ...codexCapabilities, models };
  }
}
