import { isDeepStrictEqual } from "node:util";
import { ActionKind } from "./action.ts";
import { builtInModes } from "./default-policy.ts";
import type { ArgvRule, Mode, PathRule, ToolRule } from "./mode.ts";
import type { Policy } from "./policy.ts";
import { isStricter, type Verdict } from "./verdict.ts";

const kinds = ActionKind.options;

/** A change of mode; undefined: no policy decides. */
interface ModeChange {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/**
 * Whether a change of mode may allow something that was not allowed before; true wherever the
 * opposite is not certain. Without a policy a runtime asks before it changes anything, so from
 * there only what a planner may do is not looser.
 */
export function isLooser(policy: Policy, { from, to }: ModeChange): boolean {
  if (from === to) return false;
  if (to === undefined) return true;
  const next = policy.modes.get(to);
  const present = from === undefined ? builtInModes["planner"] : policy.modes.get(from);
  // A rule of one's own that holds in the next mode only.
  const isExcused = policy.rules.some(({ mode }) => mode === to);
  return isExcused || !next || !present || !isWithin(next, present);
}

/** Whether everything that `mode` allows or asks about is so in `limit` too, or is stricter. */
function isWithin(mode: Mode, limit: Mode): boolean {
  return (
    isAtLeast(mode.read.inside, limit.read.inside) &&
    isAtLeast(mode.read.outside, limit.read.outside) &&
    isAtLeast(mode.write.inside, limit.write.inside) &&
    isAtLeast(mode.write.outside, limit.write.outside) &&
    isAtLeast(mode.network.local, limit.network.local) &&
    isAtLeast(mode.network.other, limit.network.other) &&
    isAtLeast(mode.other_tools, limit.other_tools) &&
    kinds.every((kind) => isAtLeast(mode.actions[kind] ?? "ask", limit.actions[kind] ?? "ask")) &&
    mode.network.hosts.every(
      (host) => limit.network.other === "allow" || limit.network.hosts.includes(host),
    ) &&
    areToolsWithin(mode, limit) &&
    areCommandsWithin(mode, limit) &&
    arePathsWithin(mode, limit)
  );
}

function isAtLeast(verdict: Verdict, limit: Verdict): boolean {
  return !isStricter(limit, verdict);
}

function has<Rule>(rules: readonly Rule[], rule: Rule): boolean {
  return rules.some((other) => isDeepStrictEqual(other, rule));
}

/** Each name that a rule gives a looser verdict than the limit's other tools have, a rule of the limit gives too. */
function areToolsWithin(mode: Mode, limit: Mode): boolean {
  const covers = ({ verdict, tools }: ToolRule, name: string, own: Verdict) =>
    isAtLeast(own, verdict) && tools.includes(name);
  const areLoose = mode.tools.every(
    (rule) =>
      isAtLeast(rule.verdict, limit.other_tools) ||
      rule.tools.every((name) => limit.tools.some((other) => covers(other, name, rule.verdict))),
  );
  const areStrict = limit.tools
    .filter(({ verdict }) => verdict !== "allow")
    .every(
      (rule) =>
        has(mode.tools, rule) ||
        rule.tools.every((name) =>
          mode.tools.some(
            ({ tools, verdict }) => tools.includes(name) && isAtLeast(verdict, rule.verdict),
          ),
        ),
    );
  return areLoose && areStrict;
}

function areCommandsWithin(mode: Mode, limit: Mode): boolean {
  const isSame = (rule: ArgvRule) => (other: ArgvRule) =>
    isDeepStrictEqual(other.argv, rule.argv) &&
    other.verdict === rule.verdict &&
    (other.is_exact === true) === (rule.is_exact === true);
  // A rule that allows a command answers for what would be asked about it.
  const isNothingAsked = kinds.every(
    (kind) => (mode.actions[kind] ?? "ask") !== "ask" || limit.actions[kind] === "allow",
  );
  return (
    mode.argv
      .filter(({ verdict }) => verdict === "allow")
      .every((rule) => isNothingAsked || limit.argv.some(isSame(rule))) &&
    limit.argv
      .filter(({ verdict }) => verdict !== "allow")
      .every((rule) => mode.argv.some(isSame(rule)))
  );
}

/** Rules on paths only make stricter. */
function arePathsWithin(mode: Mode, limit: Mode): boolean {
  return limit.paths.every((rule) => {
    const scope = mode[rule.access];
    const isCovered =
      isAtLeast(scope.inside, rule.verdict) && isAtLeast(scope.outside, rule.verdict);
    return isCovered || mode.paths.some((other) => isAsStrict(other, rule));
  });
}

function isAsStrict(rule: PathRule, limit: PathRule): boolean {
  return (
    rule.access === limit.access &&
    isAtLeast(rule.verdict, limit.verdict) &&
    limit.paths.every((path) => rule.paths.includes(path)) &&
    rule.except.every((path) => limit.except.includes(path))
  );
}
