import type { Capabilities, JsonObject, ModelInfo } from "@turnwire/protocol";
import { checkParams, paramsFrom, type RunOptions, type ToolGate } from "@turnwire/runtime";
import { codexCapabilities } from "./capabilities.ts";
import { withModels } from "./model.ts";
import { CodexParams } from "./options.ts";
import type { ThreadTools } from "./thread-tools.ts";
import { gatedPolicy, type Policy, policyFor, sandboxPolicyFrom } from "./policy.ts";

const defaultMode = "default";

/** Throws a RuntimeError where the session's mode and params make no sense. */
export function checkSession({
  params,
  permissionMode = defaultMode,
}: Pick<RunOptions, "params" | "permissionMode">): void {
  checkParams(CodexParams, params);
  policyFor(permissionMode, paramsFrom(CodexParams, params));
}

/** What a session's next turn runs with: model, effort, and what it may do. */
export class TurnSettings {
  /** The form of every answer, where the session has one. */
  readonly outputSchema: JsonObject | undefined;
  readonly #params: CodexParams;
  readonly #defaultModel: string | undefined;
  readonly #gate: ToolGate | undefined;
  #model: string | undefined;
  #effort: string | undefined;
  #mode: string | undefined;
  #policy: Policy;
  /** What Codex was sent last. */
  #sent = "";

  /** Throws a RuntimeError where the session's mode or params make no sense. */
  constructor(run: RunOptions, defaultModel: string | undefined) {
    this.#params = paramsFrom(CodexParams, run.params);
    this.#mode = run.permissionMode;
    this.#policy = policyFor(this.#mode ?? defaultMode, this.#params);
    this.#defaultModel = defaultModel;
    this.#gate = run.gate;
    this.#model = run.model;
    this.#effort = run.effort;
    this.outputSchema = run.outputSchema;
  }

  /** What the next turn may do: the permission mode's, held by the policy mode's where there is one. */
  get policy(): Policy {
    return gatedPolicy(this.#policy, this.#gate?.sandbox);
  }

  /** Whether a policy mode is in force. */
  get isGated(): boolean {
    return this.#gate?.sandbox !== undefined;
  }

  /** Whether a person decides also about what the policy allows: the session only reads, the policy would let it write. */
  get asksDespitePolicy(): boolean {
    return this.#policy.sandbox === "read-only" && this.#gate?.sandbox !== "read_only";
  }

  /** The mode of a session that has named none, and so does not know it. */
  get unnamedMode(): string | undefined {
    return this.#mode === undefined ? defaultMode : undefined;
  }

  get model(): string | undefined {
    return this.#model ?? this.#defaultModel;
  }

  setModel(model: string | null): void {
    this.#model = model ?? undefined;
  }

  setEffort(effort: string | null): void {
    this.#effort = effort ?? undefined;
  }

  setMode(mode: string): void {
    this.#policy = policyFor(mode, this.#params);
    this.#mode = mode;
  }

  /** A thread was opened with these settings; one that was resumed may still have a mode from before. */
  tellOpened(threadModel: string, isResumed: boolean): void {
    const isKnown = !isResumed && !this.policy.isPlan;
    this.#sent = isKnown ? this.#textFor({ model: threadModel, effort: undefined }) : "";
  }

  /** The params of a turn, where they differ from what Codex knows: to hear them again costs it 20 ms. */
  paramsFor(threadModel: string): object {
    const model = this.model ?? threadModel;
    const effort = this.#effort;
    const text = this.#textFor({ model, effort });
    if (text === this.#sent) return {};
    this.#sent = text;
    const { approvalPolicy, sandbox, isPlan } = this.policy;
    const settings = { model, reasoning_effort: effort ?? null, developer_instructions: null };
    return {
      approvalPolicy,
      sandboxPolicy: sandboxPolicyFrom(sandbox),
      model,
      ...(effort !== undefined && { effort }),
      collaborationMode: { mode: isPlan ? "plan" : "default", settings },
    };
  }

  /** The params of a review, which never asks, whatever the thread's approval policy: where turns ask, it only reads. */
  reviewParams(threadModel: string): object {
    this.#sent = "";
    const { approvalPolicy, sandbox } = this.policy;
    const bounds = approvalPolicy === "never" ? sandbox : "read-only";
    return {
      sandboxPolicy: sandboxPolicyFrom(bounds),
      model: this.model ?? threadModel,
      ...(this.#effort !== undefined && { effort: this.#effort }),
    };
  }

  #textFor({ model, effort }: { model: string; effort: string | undefined }): string {
    return JSON.stringify([this.policy, model, effort]);
  }

  /** A thread that was not started by us, or before we had them, lacks our tools for good. */
  capabilitiesWith(models: readonly ModelInfo[], { hasUiTools }: ThreadTools): Capabilities {
    const capabilities = hasUiTools
      ? codexCapabilities
      : { ...codexCapabilities, components: false, shared_state: false };
    return withModels(capabilities, models);
  }
}
