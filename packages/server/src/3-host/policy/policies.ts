import type { Clock } from "@turnwire/base";
import {
  type AllowRule,
  builtInModes,
  isUnrestricted,
  type Policy,
  unknownMode,
  withRules,
} from "@turnwire/policy";
import {
  accepted,
  type PolicyInfo,
  type PolicyModeInfo,
  type PolicyRule,
  type PolicyRuleInput,
  rejected,
  type Result,
  type Principal,
} from "@turnwire/protocol";
import { isInside } from "@turnwire/runtime/process";
import { type Assessment, openDirectory, isProjectPolicy } from "@turnwire/workspace";
import { OwnRules } from "./own-rules.ts";
import {
  builtInPolicy,
  type PolicyInForce,
  type PolicySource,
} from "../../2-session/policy/policy-source.ts";
import { createMemoryPolicyRules, type PolicyRuleStore } from "./rule-store.ts";

export interface PoliciesOptions {
  /** The built-in modes by default. */
  readonly policy?: PolicySource | undefined;
  /** None that outlive this by default. */
  readonly policyRules?: PolicyRuleStore | undefined;
  /** The mode of sessions that choose none; no policy by default. */
  readonly defaultPolicyMode?: string | undefined;
  readonly clock: Clock;
  /** What trust says of a directory. */
  readonly assess: (cwd: string) => Promise<Pick<Assessment, "status" | "record" | "scan">>;
  /** Where failures go that no caller waits for. */
  readonly onError?: ((error: unknown) => void) | undefined;
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
  readonly #defaultMode: string | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #assess: PoliciesOptions["assess"];
  /** Directories that were asked about: their files matter again when their trust changes. */
  readonly #prepared = new Set<string>();

  constructor(options: PoliciesOptions) {
    const { policy = builtInPolicy(), policyRules = createMemoryPolicyRules(), clock } = options;
    this.#source = policy;
    this.#defaultMode = options.defaultPolicyMode;
    this.#assess = options.assess;
    this.rules = new OwnRules({
      store: policyRules,
      clock,
      admit: (rule) => this.#admit(rule),
      onChanged: () => this.#notify(),
      onError: options.onError ?? ((error) => console.error(error)),
    });
    policy.subscribe?.(() => this.#notify());
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
    await Promise.all([this.#prepare(cwd), this.rules.load()]);
  }

  /** The trust of a directory was given or removed: its policy is in force by that from now on. */
  async trustChanged(path: string): Promise<void> {
    const inside = [...this.#prepared].filter((cwd) => isInside(cwd, path));
    await Promise.all(inside.map((cwd) => this.#prepare(cwd)));
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    this.rules.close();
    this.#source.close?.();
  }

  /** What is in force in a directory, as far as the principal may know it. */
  async describe(cwd: string | undefined, { isAdmin }: Principal): Promise<PolicyInfo> {
    await this.prepare(cwd ?? nowhere);
    const { policy, levels, files = [] } = this.current(cwd ?? nowhere);
    const modes = [...policy.modes].map(([name, mode]): PolicyModeInfo => ({
      name,
      description: mode.description,
      is_built_in: name in builtInModes,
      is_unrestricted: isUnrestricted(mode),
      level: levels?.get(name) ?? (name in builtInModes ? "built_in" : "user"),
      ...(mode.max_turns !== undefined && { max_turns: mode.max_turns }),
    }));
    return {
      version: policy.version,
      modes: [...modes, ...refusedModes(policy, levels)],
      ...(this.#defaultMode !== undefined && { default_mode: this.#defaultMode }),
      files: isAdmin ? [...files] : [],
      rules: isAdmin ? [...(cwd === undefined ? this.rules.current : this.#rulesFor(cwd))] : [],
      can_edit: isAdmin,
    };
  }

  async #prepare(cwd: string): Promise<void> {
    if (this.#prepared.size >= maxJoined) this.#prepared.clear();
    this.#prepared.add(cwd);
    await this.#source.prepare?.(cwd, async () => {
      const { status, record, scan } = await this.#assess(cwd);
      const files = scan.covered.filter(({ path }) => isProjectPolicy(path));
      return { status, trustedAt: record?.trusted_at, files };
    });
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
    await this.#prepare(place);
    const { policy } = this.#source.current(place);
    if (rule.mode !== undefined && !policy.modes.has(rule.mode)) {
      return rejected("unknown_policy_mode", unknownMode(policy, rule.mode), {
        policy_modes: [...policy.modes.keys()],
      });
    }
    return accepted({ ...rule, ...(directory && { project: directory.value }) });
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}

function refusedModes(
  { refused, modes }: Policy,
  levels: PolicyInForce["levels"],
): PolicyModeInfo[] {
  return Array.from(refused ?? [])
    .filter(([name]) => !modes.has(name))
    .map(([name, problem]) => ({
      name,
      description: builtInModes[name]?.description ?? "It cannot be chosen now.",
      is_built_in: name in builtInModes,
      is_unrestricted: false,
      level: levels?.get(name) ?? "user",
      problem,
    }));
}

function allowRuleFrom(rule: PolicyRule): AllowRule {
  const { project: _project, verdict: _verdict, note: _note, ...rest } = rule;
  const { created_at: _at, created_by: _by, updated_at: _updated, ...allowRule } = rest;
  return allowRule;
}
