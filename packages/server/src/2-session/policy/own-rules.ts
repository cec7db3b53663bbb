import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Clock } from "@turnwire/base";
import { allowRuleProblems } from "@turnwire/policy";
import {
  accepted,
  limits,
  type PolicyRule,
  type PolicyRuleChange,
  PolicyRuleInput,
  rejected,
  type Result,
  validate,
} from "@turnwire/protocol";
import type { PolicyRuleStore } from "./rule-store.ts";

export interface OwnRulesOptions {
  readonly store: PolicyRuleStore;
  readonly clock: Clock;
  /** The rule as it is stored, when its mode and its project exist. */
  readonly admit: (rule: PolicyRuleInput) => Promise<Result<PolicyRuleInput>>;
  readonly onChanged: () => void;
}

export interface AddedRule {
  readonly rule: PolicyRule;
  /** There was none that says the same. */
  readonly isNew: boolean;
}

/** A person's own rules, newest first: read once, and stored with each change before it takes effect. */
export class OwnRules {
  readonly #options: OwnRulesOptions;
  #rules: readonly PolicyRule[] = [];
  #loading: Promise<void> | undefined;
  /** One change after the other: each begins with what the one before has stored. */
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: OwnRulesOptions) {
    this.#options = options;
  }

  /** Those in force; none before `load`, which is stricter. */
  get current(): readonly PolicyRule[] {
    return this.#rules;
  }

  load(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the file may be readable by then.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  add(input: PolicyRuleInput, by: string): Promise<Result<AddedRule>> {
    return this.#change(async (rules) => {
      const checked = await this.#check(input);
      if (!checked.ok) return checked;
      const same = rules.find((rule) => isDeepStrictEqual(inputOf(rule), checked.value));
      if (same) return accepted({ rule: same, isNew: false });
      if (rules.length >= limits.policyRules) {
        const message = `There are ${rules.length} policy rules already: remove some first.`;
        return rejected("invalid_request", message);
      }
      const rule = { id: newId(rules), created_at: this.#now(), created_by: by, ...checked.value };
      await this.#save([rule, ...rules]);
      return accepted({ rule, isNew: true });
    });
  }

  /** Changes fields of a rule; null removes one. */
  change(id: string, change: PolicyRuleChange): Promise<Result<PolicyRule>> {
    return this.#change(async (rules) => {
      const known = rules.find((rule) => rule.id === id);
      if (!known) return noRule(id);
      const merged = Object.entries({ ...inputOf(known), ...change }).filter(
        ([, value]) => value !== null,
      );
      const parsed = validate(PolicyRuleInput, Object.fromEntries(merged));
      if (!parsed.ok) return parsed;
      const checked = await this.#check(parsed.value);
      if (!checked.ok) return checked;
      const { created_at, created_by } = known;
      const rule: PolicyRule = {
        id,
        created_at,
        ...(created_by !== undefined && { created_by }),
        updated_at: this.#now(),
        ...checked.value,
      };
      await this.#save(rules.map((other) => (other.id === id ? rule : other)));
      return accepted(rule);
    });
  }

  remove(id: string): Promise<Result<void>> {
    return this.#change(async (rules) => {
      const rest = rules.filter((rule) => rule.id !== id);
      if (rest.length === rules.length) return noRule(id);
      await this.#save(rest);
      return accepted(undefined);
    });
  }

  async #check(input: PolicyRuleInput): Promise<Result<PolicyRuleInput>> {
    const problems = allowRuleProblems(input);
    if (problems.length > 0) {
      return rejected("invalid_request", `The rule is wrong: ${problems.join("; ")}.`, {
        problems,
      });
    }
    return this.#options.admit(input);
  }

  #change<Value>(change: (rules: readonly PolicyRule[]) => Promise<Value>): Promise<Value> {
    const changed = this.#changing.then(async () => {
      await this.load();
      return change(this.#rules);
    });
    // Whoever asked for it gets the error; the next one is not kept from trying.
    this.#changing = changed.catch(() => undefined);
    return changed;
  }

  async #read(): Promise<void> {
    this.#rules = await this.#options.store.load();
    this.#options.onChanged();
  }

  async #save(rules: readonly PolicyRule[]): Promise<void> {
    await this.#options.store.save(rules);
    this.#rules = rules;
    this.#options.onChanged();
  }

  #now(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }
}

function noRule(id: string): ReturnType<typeof rejected> {
  return rejected("not_found", `There is no policy rule ${id}.`);
}

function inputOf(rule: PolicyRule): PolicyRuleInput {
  const { id: _id, created_at: _at, created_by: _by, updated_at: _updated, ...input } = rule;
  return input;
}

function newId(rules: readonly PolicyRule[]): string {
  for (;;) {
    const id = `own-${randomBytes(4).toString("hex")}`;
    if (rules.every((rule) => rule.id !== id)) return id;
  }
}
