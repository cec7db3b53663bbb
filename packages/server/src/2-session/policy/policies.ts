import type { Clock } from "@turnwire/base";
import { type AllowRule, builtInModes, type Policy, withRules } from "@turnwire/policy";
import {
  accepted,
  type PolicyInfo,
  type PolicyModeInfo,
  type PolicyRule,
  type PolicyRuleInput,
  rejected,
  type Result,
} from "@turnwire/protocol";
import { isInside } from "../../1-runtime/path-inside.ts";
import type { Principal } from "../principal.ts";
import { openDirectory } from "../working-directory.ts";
import { OwnRules } from "./own-rules.ts";
import type { PolicyInForce, PolicySource } from "./policy-source.ts";
import type { PolicyRuleStore } from "./rule-store.ts";

export interface PoliciesOptions {
  readonly source: PolicySource;
  readonly rules: PolicyRuleStore;
  readonly clock: Clock;
}

/** A directory in which no project's policy applies. */
const nowhere = "/";
const maxJoined = 1_000;

interface JoinedPolicy {
  readonly base: Policy;
  readonly rules: readonly PolicyRule[];
  readonly policy: Policy;
}

/** The policies of all sessions: what the source says, with the rules of a person's own. */
export class Policies implements PolicySource {
  readonly rules: OwnRules;
  readonly #source: PolicySource;
  /** By directory: what was joined last, and what of. */
  readonly #joined = new Map<string, JoinedPolicy>();
  readonly #listeners = new Set<() => void>();

  constructor({ source, rules, clock }: PoliciesOptions) {
    this.#source = source;
    this.rules = new OwnRules({
      store: rules,
      clock,
      admit: (rule) => this.#admit(rule),
      onChanged: () => this.#notify(),
    });
    source.subscribe?.(() => this.#notify());
  }

  current(cwd: string): PolicyInForce {
    const inForce = this.#source.current(cwd);
    const all = this.rules.current;
    const known = this.#joined.get(cwd);
    if (known?.base === inForce.policy && known.rules === all) {
      return { ...inForce, policy: known.policy };
    }
    const policy = withRules(inForce.policy, this.#rulesFor(cwd).map(allowRuleFrom));
    if (this.#joined.size >= maxJoined) this.#joined.clear();
    this.#joined.set(cwd, { base: inForce.policy, rules: all, policy });
    return { ...inForce, policy };
  }

  async prepare(cwd: string): Promise<void> {
    await Promise.all([this.#source.prepare?.(cwd), this.rules.load()]);
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is in force in a directory, as far as the principal may know it. */
  async describe(cwd: string | undefined, { isAdmin }: Principal): Promise<PolicyInfo> {
    await this.prepare(cwd ?? nowhere);
    const { policy, levels, files = [], refused } = this.current(cwd ?? nowhere);
    const modes = [...policy.modes].map(([name, { description, max_turns }]): PolicyModeInfo => ({
      name,
      description,
      is_built_in: name in builtInModes,
      level: levels?.get(name) ?? (name in builtInModes ? "built_in" : "user"),
      ...(max_turns !== undefined && { max_turns }),
    }));
    return {
      version: policy.version,
      modes: [...modes, ...refusedModes(refused)],
      files: isAdmin ? [...files] : [],
      rules: isAdmin ? [...(cwd === undefined ? this.rules.current : this.#rulesFor(cwd))] : [],
      can_edit: isAdmin,
    };
  }

  #rulesFor(cwd: string): readonly PolicyRule[] {
    return this.rules.current.filter(
      ({ project }) => project === undefined || isInside(cwd, project),
    );
  }

  /** A rule for a mode or a directory that is not there would do nothing, silently. */
  async #admit(rule: PolicyRuleInput): Promise<Result<PolicyRuleInput>> {
    const directory = rule.project === undefined ? undefined : await openDirectory(rule.project);
    if (directory && !directory.ok) return directory;
    const place = directory?.value ?? nowhere;
    await this.#source.prepare?.(place);
    const { modes } = this.#source.current(place).policy;
    if (rule.mode !== undefined && !modes.has(rule.mode)) {
      const known = [...modes.keys()];
      return rejected(
        "unknown_policy_mode",
        `There is no policy mode ${rule.mode}. There are: ${known.join(", ")}.`,
        { policy_modes: known },
      );
    }
    return accepted({ ...rule, ...(directory && { project: directory.value }) });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function refusedModes(refused: PolicyInForce["refused"]): PolicyModeInfo[] {
  return Array.from(refused ?? [], ([name, { problem, level }]) => ({
    name,
    description: builtInModes[name]?.description ?? "This mode cannot be chosen now.",
    is_built_in: name in builtInModes,
    level,
    problem,
  }));
}

function allowRuleFrom(rule: PolicyRule): AllowRule {
  const { project: _project, verdict: _verdict, note: _note, ...rest } = rule;
  const { created_at: _at, created_by: _by, updated_at: _updated, ...allowRule } = rest;
  return allowRule;
}
