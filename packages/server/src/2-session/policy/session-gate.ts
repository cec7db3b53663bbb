import { homedir } from "node:os";
import { defined, errorText } from "@turnwire/base";
import type { CommandContainment, Control, JsonObject } from "@turnwire/protocol";
import {
  type AllowedThing,
  type Containment,
  type Evaluation,
  guardedPaths,
  isUnrestricted,
  type Mode,
  type Policy,
} from "@turnwire/policy";
import { entries, realPath } from "@turnwire/policy/file-system";
import type { ConfinementNeed } from "@turnwire/runtime/containment";
import {
  type GatedCall,
  type PolicyDecision,
  type SandboxNeed,
  type ToolGate,
  RuntimeError,
} from "@turnwire/runtime";
import type { Answers } from "../evaluation/evaluation.ts";
import { EvaluationLimit, type Evaluator, sharedEvaluator } from "../evaluation/evaluator.ts";
import type { PolicySource } from "./policy-source.ts";

export interface SessionGateOptions {
  readonly source: PolicySource;
  readonly control: () => GatedSession;
  /** The session's, by which evaluations take turns. */
  readonly id: string;
  readonly evaluator?: Pick<Evaluator, "judge">;
}

/** The part of a session that a decision depends on. */
interface GatedSession {
  readonly session: Pick<Control["session"], "policy_mode" | "cwd" | "worktree">;
  readonly turn: Pick<NonNullable<Control["turn"]>, "is_unattended"> | null;
}

/** The gate of one session. What it cannot judge it denies. */
export class SessionGate implements ToolGate {
  readonly #source: PolicySource;
  readonly #control: () => GatedSession;
  readonly #id: string;
  readonly #evaluator: Pick<Evaluator, "judge">;

  constructor({ source, control, id, evaluator = sharedEvaluator }: SessionGateOptions) {
    this.#source = source;
    this.#control = control;
    this.#id = id;
    this.#evaluator = evaluator;
  }

  async judge(call: GatedCall): Promise<PolicyDecision | undefined> {
    const { policy_mode: mode, cwd = "/" } = this.#control().session;
    if (mode === undefined) return undefined;
    const { tool, toolUseId } = call;
    const about = { tool, mode, ...(toolUseId !== undefined && { tool_use_id: toolUseId }) };
    try {
      const { policy } = this.#source.current(cwd);
      const definition = policy.modes.get(mode);
      if (!definition) return { ...about, ...missingMode(mode, policy.version) };
      const basis = await this.#judgeBy(call, policy, definition);
      // It may have changed meanwhile.
      const isCurrent =
        this.#control().session.policy_mode === mode &&
        this.#source.current(cwd).policy.version === policy.version;
      return isCurrent ? { ...about, ...basis } : await this.judge(call);
    } catch (error) {
      const reason = `the policy could not judge this: ${errorText(error)}`;
      return { ...about, verdict: "deny", rule: "failure", reason, policy_version: "unknown" };
    }
  }

  /** The decision of one mode of a policy. */
  async #judgeBy(call: GatedCall, policy: Policy, mode: Mode): Promise<Basis> {
    const { tool, input, cwd } = call;
    const { session, turn } = this.#control();
    const { policy_mode: name = "", cwd: place = "/", worktree } = session;
    const isUnattended = turn?.is_unattended === true;
    const { version, rules } = policy;
    try {
      const evaluate = (containment: Containment) =>
        this.#evaluator.judge(this.#id, {
          call: { tool, input },
          mode: name,
          policy: { version, rules, modes: new Map([[name, mode]]) },
          facts: { cwd: cwd ?? place, roots: [worktree?.path ?? place], home: homedir() },
          containment,
        });
      const { evaluation, thing, ...held } = await containedEvaluation(call, evaluate, {
        policy,
        mode,
      });
      const basis = {
        ...decisionFrom(evaluation, isUnattended),
        ...(tool === "Bash" && { containment: held.containment }),
      };
      const suggested = basis.verdict === "ask" ? thing : undefined;
      return { ...basis, ...(suggested && { suggested_rule: ruleFor(suggested, session) }) };
    } catch (error) {
      if (!(error instanceof EvaluationLimit)) throw error;
      const verdict = mode.actions.limit ?? "ask";
      const reason = `it cannot be judged: ${error.message}`;
      const evaluation = { verdict, rule: "limit", reason, policy_version: version };
      return decisionFrom({ ...evaluation, judgements: [] }, isUnattended);
    }
  }

  /** Reads what files say of the mode; rejects where there is no such mode any more, so that nothing runs without it. */
  async prepare(): Promise<void> {
    const { policy_mode: name, cwd = "/" } = this.#control().session;
    await this.#source.prepare?.(cwd);
    if (name === undefined || this.#mode) return;
    throw new RuntimeError(
      "not_available",
      `The policy has no mode ${name} here any more: mend the file that defined it, or choose another mode.`,
    );
  }

  get sandbox(): SandboxNeed | undefined {
    const { policy_mode: name } = this.#control().session;
    if (name === undefined) return undefined;
    const mode = this.#mode;
    return mode ? sandboxFor(mode) : "read_only";
  }

  get confinement(): ConfinementNeed | undefined {
    const { policy_mode: name, cwd = "/", worktree } = this.#control().session;
    const mode = this.#mode;
    if (name === undefined || !mode || isUnrestricted(mode)) return undefined;
    const { policy } = this.#source.current(cwd);
    const roots = [worktree?.path ?? cwd];
    const rules = policy.rules.filter((rule) => rule.mode === undefined || rule.mode === name);
    return {
      key: `${policy.version} ${name}`,
      writes: writesOf(mode),
      reads: mode.read.outside === "allow" ? "everything" : "inside",
      roots,
      ...guardedPaths(mode, { roots, home: homedir(), realPath, entries, rules }),
    };
  }

  /** How often the mode lets an agent call its model in one turn; undefined: any number. */
  get maxTurns(): number | undefined {
    return this.#mode?.max_turns;
  }

  get #mode(): Mode | undefined {
    const { policy_mode: name, cwd = "/" } = this.#control().session;
    return name === undefined ? undefined : this.#source.current(cwd).policy.modes.get(name);
  }
}

/** For this mode and the place where the session works: a person may widen it. */
function ruleFor(
  thing: AllowedThing,
  { policy_mode: mode, cwd, worktree }: GatedSession["session"],
): JsonObject {
  // A worktree ends with its session.
  const project = worktree === undefined ? cwd : undefined;
  const { kind } = thing;
  const about = kind === "argv" ? { ...thing, argv: thing.argv.map(jsonWord) } : thing;
  return { ...defined({ ...about }), ...defined({ mode, project }) };
}

function jsonWord(word: string | readonly string[]): string | string[] {
  return typeof word === "string" ? word : [...word];
}

type Basis = Omit<PolicyDecision, "tool" | "mode" | "tool_use_id">;

function decisionFrom(evaluation: Evaluation, isUnattended: boolean): Basis {
  const { verdict, rule, reason, policy_version, judgements } = evaluation;
  const subject = judgements.find((one) => one.rule === rule && one.verdict === verdict)?.subject;
  const basis = {
    rule,
    policy_version,
    ...(subject !== undefined && subject !== "" && { subject }),
  };
  if (verdict !== "ask" || !isUnattended) return { verdict, reason, ...basis };
  const sentence = `${reason}; a person would have to allow it, but this turn runs unattended`;
  return { verdict: "deny", reason: sentence, ...basis, is_unattended: true };
}

/** The file that defined it may be broken or gone: nothing is allowed rather than something looser. */
function missingMode(mode: string, policyVersion: string): Basis {
  const reason = `the policy has no mode ${mode} any more, so nothing is allowed`;
  return { verdict: "deny", rule: "unknown-mode", reason, policy_version: policyVersion };
}

function sandboxFor(mode: Mode): SandboxNeed {
  const needs = { everything: "off", inside: "write_inside", nothing: "read_only" } as const;
  return needs[writesOf(mode)];
}

function writesOf({ write }: Mode): ConfinementNeed["writes"] {
  if (write.outside === "allow") return "everything";
  return write.inside === "deny" ? "nothing" : "inside";
}

interface ContainedEvaluation extends ToolAnswer {
  readonly containment: CommandContainment;
}

type ToolAnswer = Answers["tool"];

/**
 * What a person allowed by a rule of their own runs as they meant it, and what reaches other repositories needs
 * credentials that a contained command does not have: such commands are not contained if they need not be.
 */
async function containedEvaluation(
  { isContained = false }: GatedCall,
  evaluate: (containment: Containment) => Promise<ToolAnswer>,
  { policy, mode }: { readonly policy: Policy; readonly mode: Mode },
): Promise<ContainedEvaluation> {
  if (!isContained) return { ...(await evaluate("none")), containment: "none" };
  const held = await evaluate("kernel");
  if (held.evaluation.verdict !== "allow") return { ...held, containment: "none" };
  const used = held.evaluation.judgements.map(({ rule }) => rule);
  const own = new Map(policy.rules.map(({ id, kind }) => [id, kind]));
  if (used.some((rule) => own.has(rule) || rule === "git_remote")) {
    const plain = await evaluate("none");
    if (plain.evaluation.verdict === "allow") return { ...plain, containment: "none" };
  }
  const isConnected =
    mode.network.other === "allow" ||
    used.some((rule) => networkRules.has(rule) || own.get(rule) === "host");
  return { ...held, containment: isConnected ? "with_network" : "without_network" };
}

/** Allowed by one of these, a command connects to something. */
const networkRules: ReadonlySet<string> = new Set([
  "network.local",
  "network.hosts",
  "network.other",
  "install",
  "git_remote",
]);
