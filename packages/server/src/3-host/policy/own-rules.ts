import { randomBytes } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { type Clock, detach } from "@turnwire/base";
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
  readonly onError: (error: unknown) => void;
}

/** Other hosts change rules rarely: whoever is too late this often has met a fault. */
const MAX_TRIES = 20;

export interface AddedRule {
  readonly rule: PolicyRule;
  /** There was none that says the same. */
  readonly isNew: boolean;
}

/**
 * A person's own rules, newest first: read once, and again when another host has changed them, and
 * stored with each change before it takes effect.
 */
export class OwnRules {
  readonly #options: OwnRulesOptions;
  #rules: readonly PolicyRule[] = [];
  #loading: Promise<void> | undefined;
  /** One change after the other: each begins with what the one before has stored. */
  #changing: Promise<unknown> = Promise.resolve();
  readonly #stopWatch: (() => void) | undefined;

  constructor(options: OwnRulesOptions) {
    this.#options = options;
    this.#stopWatch = options.store.subscribe?.(() => detach(this.load(), options.onError));
  }

  /** Those in force; none before `load`, which is stricter. */
  get current(): readonly PolicyRule[] {
    return this.#rules;
  }

  /** Reads them, where others change them too the newest. */
  load(): Promise<void> {
    return this.#isShared ? this.#inTurn(() => this.#read()) : this.#loadOnce();
  }

  add(input: PolicyRuleInput, by: string): Promise<Result<AddedRule>> {
    return this.#change<AddedRule>(async (rules) => {
      const checked = await this.#check(input);
      if (!checked.ok) return checked;
      const same = rules.find((rule) => isDeepStrictEqual(inputOf(rule), checked.value));
      if (same) return accepted({ rule: same, isNew: false });
      if (rules.length >= limits.policyRules) {
        const message = `There are ${rules.length} policy rules already: remove some first.`;
        return rejected("invalid_request", message);
      }
      const rule = { id: newId(rules), created_at: this.#now(), created_by: by, ...checked.value };
      return this.#save([rule, ...rules], accepted({ rule, isNew: true }));
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
      const changed = rules.map((other) => (other.id === id ? rule : other));
      return this.#save(changed, accepted(rule));
    });
  }

  remove(id: string): Promise<Result<void>> {
    return this.#change(async (rules) => {
      const rest = rules.filter((rule) => rule.id !== id);
      if (rest.length === rules.length) return noRule(id);
      return this.#save(rest, accepted(undefined));
    });
  }

  async #check(input: PolicyRuleInput): Promise<Result<PolicyRuleInput>> {
    const problems = allowRuleProblems(input);
    if (problems.length > 0) {
      return rejected("invalid_request", `The rule is not valid: ${problems.join("; ")}.`, {
        problems,
      });
    }
    return this.#options.admit(input);
  }

  close(): void {
    this.#stopWatch?.();
  }

  /** Decides on a change by the rules of the moment, again when another host was faster. */
  #change<Value>(
    change: (rules: readonly PolicyRule[]) => Promise<Result<Value> | undefined>,
  ): Promise<Result<Value>> {
    return this.#inTurn(async () => {
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        await (this.#isShared ? this.#read() : this.#loadOnce());
        const changed = await change(this.#rules);
        if (changed) return changed;
      }
      throw new Error("the policy rules change faster than they can be stored");
    });
  }

  #inTurn<Value>(action: () => Promise<Value>): Promise<Value> {
    const done = this.#changing.then(action);
    // Whoever asked for it gets the error; the next one is not kept from trying.
    this.#changing = done.catch(() => undefined);
    return done;
  }

  get #isShared(): boolean {
    return this.#options.store.subscribe !== undefined;
  }

  #loadOnce(): Promise<void> {
    this.#loading ??= this.#read().catch((error: unknown) => {
      // The next one tries again: the file may be readable by then.
      this.#loading = undefined;
      throw error;
    });
    return this.#loading;
  }

  async #read(): Promise<void> {
    this.#replace(await this.#options.store.load());
  }

  /** Undefined when another host has changed the rules meanwhile. */
  async #save<Value>(rules: readonly PolicyRule[], result: Value): Promise<Value | undefined> {
    if ((await this.#options.store.save(rules, this.#rules)) === false) return undefined;
    this.#replace(rules);
    return result;
  }

  #replace(rules: readonly PolicyRule[]): void {
    const isSame = isDeepStrictEqual(rules, this.#rules);
    this.#rules = rules;
    if (!isSame) this.#options.onChanged();
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
