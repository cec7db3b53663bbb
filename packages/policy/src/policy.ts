import { createHash } from "node:crypto";
import { builtInModes } from "./default-policy.ts";
import type { AllowRule } from "./allow-rule.ts";
import { createWalk } from "./shell/script-walk.ts";
import { startIn } from "./shell/state.ts";
import { type ArgvRule, Mode, PolicyFile, type WrittenMode } from "./mode.ts";
import { PolicyError } from "./policy-error.ts";

/** Modes that are checked and complete. */
export interface Policy {
  /** Changes with any change of any mode. */
  readonly version: string;
  readonly modes: ReadonlyMap<string, Mode>;
  /** Rules of a person's own: they allow what a mode would ask about, never what it denies. */
  readonly rules: readonly AllowRule[];
  /** Modes that it has not because what says something of them cannot be used, and why. */
  readonly refused?: ReadonlyMap<string, string>;
  /** The problems of the input, one sentence each. */
  readonly problems?: readonly string[];
}

/** A policy from a file's data, on top of another one's modes, by default those built in; throws a PolicyError that names every problem. */
export function parsePolicy(data: unknown, base?: Policy): Policy {
  const parsed = PolicyFile.safeParse(data);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const place = issue.path.length > 0 ? issue.path.join(".") : "the policy";
      const details =
        issue.code === "invalid_key" ? issue.issues.map(({ message }) => message) : [];
      return `${place}: ${[issue.message, ...details].join(": ")}`;
    });
    throw new PolicyError("invalid_policy", problems, parsed.error);
  }
  const modes = completeModes(parsed.data.modes, base?.modes ?? builtIn);
  const problems = [...modes].flatMap(([name, mode]) => modeProblems(name, mode));
  if (problems.length > 0) throw new PolicyError("invalid_policy", problems);
  return { ...base, ...versioned(modes, base?.rules ?? []) };
}

/** The same policy with a person's own rules instead of those it has. */
export function withRules(policy: Policy, rules: readonly AllowRule[]): Policy {
  return { ...policy, ...versioned(policy.modes, rules) };
}

/** The same policy without some modes, with why each cannot be used, and what that comes from. */
export function withoutModes(
  policy: Policy,
  refused: ReadonlyMap<string, string>,
  problem: string,
): Policy {
  const modes = new Map([...policy.modes].filter(([name]) => !refused.has(name)));
  return {
    ...versioned(modes, policy.rules),
    refused: new Map([...(policy.refused ?? []), ...refused]),
    problems: [...(policy.problems ?? []), problem],
  };
}

function versioned(
  modes: Policy["modes"],
  rules: Policy["rules"],
): Pick<Policy, "version" | "modes" | "rules"> {
  const version = digestOf(rules.length === 0 ? [...modes] : { modes: [...modes], rules });
  return { version, modes, rules };
}

/** The built-in modes as they are. */
export function defaultPolicy(): Policy {
  return parsePolicy({ version: 1, modes: {} });
}

export function modeOf(policy: Policy, name: string): Mode {
  const mode = policy.modes.get(name);
  if (mode) return mode;
  throw new PolicyError("unknown_mode", [unknownMode(policy, name)]);
}

/** Why a policy has no mode of this name, and what there is; for people. */
export function unknownMode({ modes, refused, problems = [] }: Policy, name: string): string {
  const reason = refused?.get(name);
  if (reason !== undefined) return `The mode "${name}" cannot be used now: ${reason}.`;
  const known = [...modes.keys()].join(", ");
  const sentences = [`There is no mode "${name}". There are: ${known}.`];
  return [...sentences, ...problems.map((problem) => `${problem}.`)].join(" ");
}

const builtIn: Policy["modes"] = new Map(Object.entries(builtInModes));

function completeModes(written: PolicyFile["modes"], base: Policy["modes"]): Policy["modes"] {
  const modes = new Map(base);
  const open = new Set<string>();
  const complete = (name: string): Mode => {
    const own = written[name];
    if (!own || done.has(name)) {
      const known = modes.get(name);
      if (known) return known;
      throw new PolicyError("invalid_policy", [`there is no mode "${name}" to extend`]);
    }
    if (open.has(name)) {
      throw new PolicyError("invalid_policy", [
        `modes.${name} extends itself: ${[...open, name].join(" → ")}`,
      ]);
    }
    open.add(name);
    const mode = extended(base.get(name) ?? complete(own.extends), own);
    open.delete(name);
    modes.set(name, mode);
    done.add(name);
    return mode;
  };
  const done = new Set<string>();
  for (const name of Object.keys(written)) complete(name);
  return modes;
}

function extended(start: Mode, written: WrittenMode): Mode {
  const { extends: _, ...own } = written;
  return Mode.parse({
    ...start,
    ...own,
    read: { ...start.read, ...own.read },
    write: { ...start.write, ...own.write },
    network: {
      ...start.network,
      ...own.network,
      hosts: [...start.network.hosts, ...(own.network?.hosts ?? [])],
    },
    actions: { ...start.actions, ...own.actions },
    tools: [...start.tools, ...(own.tools ?? [])],
    argv: [...start.argv, ...(own.argv ?? [])],
    paths: [...start.paths, ...(own.paths ?? [])],
  });
}

function modeProblems(name: string, mode: Mode): string[] {
  const ids = [...mode.tools, ...mode.argv, ...mode.paths].map(({ id }) => id);
  const doubled = ids.filter((id, index) => ids.indexOf(id) !== index);
  return [
    ...doubled.map((id) => `modes.${name}: two rules have the id ${id}`),
    ...mode.argv.flatMap((rule) =>
      exampleProblems(rule).map((problem) => `modes.${name}: ${problem}`),
    ),
  ];
}

function exampleProblems(rule: ArgvRule): string[] {
  const missed = rule.match.filter((command) => !fits(rule, command));
  const surplus = rule.not_match.filter((command) => fits(rule, command));
  return [
    ...missed.map((command) => `the rule ${rule.id} does not fit its example: ${command}`),
    ...surplus.map(
      (command) => `the rule ${rule.id} fits an example that it must not fit: ${command}`,
    ),
  ];
}

/** Whether a rule applies somewhere in a command. */
function fits(rule: ArgvRule, command: string): boolean {
  let isFit = false;
  const walk = createWalk({
    facts: { cwd: "/", roots: ["/"], realPath: () => undefined },
    rules: [rule],
    isClosed: false,
    report: (action) => {
      if (action.type === "rule" && action.verdict === rule.verdict) isFit = true;
    },
  });
  walk.runText(command, startIn(["/"]));
  return isFit;
}

function digestOf(value: unknown): string {
  return createHash("sha256").update(canonical(value)).digest("hex");
}

/** JSON with sorted keys, so that the order in a file does not matter. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(
          Object.entries(part).toSorted(([left], [right]) => (left < right ? -1 : 1)),
        )
      : part,
  );
}
