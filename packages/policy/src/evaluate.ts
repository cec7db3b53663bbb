import type { Facts } from "./facts.ts";
import type { Action } from "./action.ts";
import { type AllowRule, ownArgvRules } from "./allow-rule.ts";
import type { CommandRule } from "./argv-rule.ts";
import { type Containment, judge, type Judgement } from "./judge.ts";
import { LimitReached } from "./limit-reached.ts";
import { type LocationFacts, resolveReal } from "./location.ts";
import type { Mode } from "./mode.ts";
import { modeOf, type Policy } from "./policy.ts";
import { sizeProblem } from "./shell/preflight.ts";
import { createWalk } from "./shell/script-walk.ts";
import { startIn } from "./shell/state.ts";
import { isStricter, type Verdict } from "./verdict.ts";

/** The answer of a policy, and how it came about. */
export interface Evaluation {
  readonly verdict: Verdict;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** Why, in words for people. */
  readonly reason: string;
  readonly policy_version: string;
  /** All that was found, in order; at most 200. */
  readonly judgements: readonly Judgement[];
}

export interface PolicyContext {
  readonly policy: Policy;
  readonly mode: string;
  readonly facts: Facts;
  /** With "none", the default, no more than a closed list of commands is allowed. */
  readonly containment?: Containment | undefined;
}

const maxJudgements = 200;
const maxAsked = 20;
const maxPaths = 500;
const maxEntries = 5_000;
const maxSubjectLength = 200;

/** Collects judgements and keeps the strictest. */
export class Collector {
  /** A person's own rules that hold in the mode. */
  readonly rules: readonly AllowRule[];
  readonly #mode: Mode;
  readonly #context: PolicyContext;
  readonly #facts: LocationFacts;
  readonly #judgements: Judgement[] = [];
  readonly #asked: Action[] = [];
  #strictest: Judgement | undefined;

  constructor(context: PolicyContext) {
    this.#context = context;
    this.#mode = modeOf(context.policy, context.mode);
    this.rules = context.policy.rules.filter(
      ({ mode }) => mode === undefined || mode === context.mode,
    );
    const realPath = remembering(context.facts.realPath);
    const entries = bounded(context.facts.entries);
    const places = realPlaces({ ...context.facts, realPath });
    const roots = places.flatMap(([, real]) => real);
    const aliases = places.flatMap(([written, real]) =>
      real.map((path) => [written, path] as const),
    );
    this.#facts = { ...context.facts, realPath, entries, roots, aliases };
  }

  get mode(): Mode {
    return this.#mode;
  }

  /** The commands that a rule of the mode or a person's own rule is about. */
  get commandRules(): readonly CommandRule[] {
    return this.rules.length === 0
      ? this.#mode.argv
      : [...this.#mode.argv, ...ownArgvRules(this.rules)];
  }

  /** The subjects that a person has to be asked about, in order; at most 20. */
  get asked(): readonly Action[] {
    return this.#asked;
  }

  /** As the caller gave them, with real roots. */
  get facts(): LocationFacts {
    return this.#facts;
  }

  get containment(): Containment {
    return this.#context.containment ?? "none";
  }

  add(action: Action): void {
    const place = { ...this.#facts, containment: this.containment };
    const judgement = judge(action, { mode: this.#mode, rules: this.rules }, place);
    if (judgement.verdict === "ask" && this.#asked.length < maxAsked) this.#asked.push(action);
    this.addJudgement(judgement);
  }

  addJudgement(judgement: Judgement): void {
    const shown = {
      ...judgement,
      subject: shownText(judgement.subject),
      reason: shownText(judgement.reason),
    };
    if (!this.#strictest || isStricter(shown.verdict, this.#strictest.verdict))
      this.#strictest = shown;
    if (this.#judgements.length < maxJudgements) this.#judgements.push(shown);
  }

  evaluation(): Evaluation {
    // Of what is allowed, people want to know what they allowed themselves.
    const own =
      this.#strictest?.verdict === "allow"
        ? this.#judgements.find(({ rule }) => this.rules.some(({ id }) => id === rule))
        : undefined;
    const { verdict, rule, reason, subject } = own ??
      this.#strictest ?? {
        verdict: "allow",
        rule: "inspect",
        reason: "it does nothing",
        subject: "",
      };
    const isUnattended = this.#context.facts.isUnattended === true && verdict === "ask";
    const sentence = subject === "" ? reason : `${subject}: ${reason}`;
    return {
      verdict: isUnattended ? "deny" : verdict,
      rule,
      reason: isUnattended ? `${sentence}; no one can be asked now` : sentence,
      policy_version: this.#context.policy.version,
      judgements: this.#judgements,
    };
  }
}

/** Asks for each path once; a command that names very many is not worth the time. */
function remembering(realPath: Facts["realPath"]): Facts["realPath"] {
  const known = new Map<string, string | undefined>();
  return (path) => {
    if (known.has(path)) return known.get(path);
    if (known.size >= maxPaths) throw new LimitReached(`it names more than ${maxPaths} paths`);
    const real = realPath(path);
    known.set(path, real);
    return real;
  };
}

/** Reads no more than is worth the time of an agent that waits; behind that nothing is known. */
function bounded(entries: Facts["entries"]): Facts["entries"] {
  let left = maxEntries;
  return (
    entries &&
    ((directory) => {
      const list = left > 0 ? entries(directory) : undefined;
      left -= 1 + (list?.length ?? 0);
      if (left < 0) throw new RangeError(`there are more than ${maxEntries} files`);
      return list;
    })
  );
}

/** Each root with its real path; with none where it cannot be known. */
function realPlaces({ roots, realPath }: Facts): (readonly [string, readonly string[]])[] {
  return roots.map((root) => {
    try {
      return [root, [resolveReal(root, realPath)]];
    } catch {
      return [root, []];
    }
  });
}

/** One line without characters that a terminal or a page would not show. */
function shownText(text: string): string {
  const line = text
    .slice(0, maxSubjectLength)
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (sign) =>
      sign === "\n" || sign === "\t" ? " " : "�",
    );
  return text.length > maxSubjectLength ? `${line}…` : line;
}

/** The verdict of a mode on a shell command, as bash would run it. Never throws, whatever the command is. */
export function evaluateCommand(command: string, context: PolicyContext): Evaluation {
  const collector = new Collector(context);
  collectCommand(command, collector);
  return collector.evaluation();
}

/** Adds all that a command would do. */
export function collectCommand(command: string, collector: Collector): void {
  const refuse = (reason: string): void =>
    collector.add({ type: "kind", kind: "limit", reason, subject: "" });
  const tooLarge = sizeProblem(command);
  if (tooLarge !== undefined) {
    refuse(tooLarge);
    return;
  }
  const walk = createWalk({
    facts: collector.facts,
    rules: collector.commandRules,
    isClosed: collector.containment === "none",
    report: (action) => collector.add(action),
  });
  try {
    const cwd = resolveReal(collector.facts.cwd, collector.facts.realPath);
    walk.runText(command, startIn([cwd]));
    const { assumesDirectory, movesDirectory, functions, unsetNames } = walk.reliance;
    if (assumesDirectory && movesDirectory) {
      const reason = "where its functions run is known only when it runs";
      collector.add({ type: "kind", kind: "opaque", reason, subject: "" });
    }
    const removed = [...unsetNames].find((name) => functions.has(name));
    if (removed !== undefined) {
      const reason = `whether ${removed} is a function is known only when it runs`;
      collector.add({ type: "kind", kind: "opaque", reason, subject: `unset ${removed}` });
    }
  } catch (error) {
    if (error instanceof LimitReached) refuse(error.message);
    else if (error instanceof RangeError) refuse("it is nested too deep");
    else {
      const reason = `it cannot be judged: ${error instanceof Error ? error.message : "an unknown fault"}`;
      collector.add({ type: "kind", kind: "opaque", reason, subject: "" });
    }
  }
}
