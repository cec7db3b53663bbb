import type { Facts } from "./facts.ts";
import type { Access, Action, PathAction, PathTarget } from "./action.ts";
import { type AllowRule, excusedByRule } from "./allow-rule.ts";
import { isInside } from "./location.ts";
import type { Mode } from "./mode.ts";
import { fitsHost, isLocalHost } from "./network-target.ts";
import { fitsPath } from "./path-rule.ts";
import { treeTargets } from "./tree.ts";
import { isStricter, type Verdict } from "./verdict.ts";

/** An action with what the mode says about it. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** Why, in words for people. */
  readonly reason: string;
  /** The part of the command that it is about. */
  readonly subject: string;
}

/** The way a command that the mode allows will run: held to the mode by the kernel, or by nothing. */
export type Containment = "kernel" | "none";

interface Place extends Pick<Facts, "roots" | "home" | "realPath" | "entries"> {
  readonly containment: Containment;
}

/** The verdict of a mode on one action. */
export function judge(
  action: Action,
  { mode, rules }: { readonly mode: Mode; readonly rules: readonly AllowRule[] },
  place: Place,
): Judgement {
  const judgement = judgeAlone(action, mode, place);
  if (judgement.verdict !== "ask") return judgement;
  if (action.isExcused === true) return { ...judgement, verdict: "allow" };
  return excusedByRule(judgement, action, { rules, home: place.home });
}

function judgeAlone(action: Action, mode: Mode, place: Place): Judgement {
  const { subject } = action;
  switch (action.type) {
    case "kind": {
      const verdict = mode.actions[action.kind] ?? "ask";
      return { verdict, rule: action.kind, reason: action.reason, subject };
    }
    case "rule":
      return { verdict: action.verdict, rule: action.id, reason: action.reason, subject };
    case "network":
      return judgeHost(action.host, mode, subject);
    case "path":
      return judgePath(action, mode, place);
  }
}

function judgeHost(host: string | undefined, { network }: Mode, subject: string): Judgement {
  if (host !== undefined && isLocalHost(host)) {
    return {
      verdict: network.local,
      rule: "network.local",
      reason: `connects to ${host}, this machine`,
      subject,
    };
  }
  if (host !== undefined && network.hosts.some((pattern) => fitsHost(host, pattern))) {
    return {
      verdict: "allow",
      rule: "network.hosts",
      reason: `connects to ${host}, which the policy names`,
      subject,
    };
  }
  const name = host ?? "a host that is not known";
  return { verdict: network.other, rule: "network.other", reason: `connects to ${name}`, subject };
}

function judgePath(action: PathAction, mode: Mode, place: Place): Judgement {
  const { access, path: target, subject } = action;
  const scope = mode[access];
  const verb = access === "read" ? "reads" : "writes";
  if (!target) {
    const reason = `which file it ${verb} is known only when it runs`;
    return { verdict: scope.outside, rule: `${access}.unknown`, reason, subject };
  }
  const own = judgeTarget(action, target, { mode, place });
  const found = target.found ?? [];
  const below = [target, ...found].flatMap((one) => [...treeTargets(action, one, place)]);
  return [...found, ...below].reduce((strictest, other) => {
    const judgement = judgeTarget(action, other, { mode, place });
    return isStricter(judgement.verdict, strictest.verdict) ? judgement : strictest;
  }, own);
}

interface Basis {
  readonly mode: Mode;
  readonly place: Place;
}

function judgeTarget(
  { access, subject }: PathAction,
  target: PathTarget,
  { mode, place }: Basis,
): Judgement {
  const scope = mode[access];
  const verb = access === "read" ? "reads" : "writes";
  let strictest: Judgement = isWithin(access, target, place)
    ? {
        verdict: scope.inside,
        rule: `${access}.inside`,
        reason: `it ${verb} ${target.path}`,
        subject,
      }
    : {
        verdict: scope.outside,
        rule: `${access}.outside`,
        reason: `it ${verb} ${target.path}, outside the roots`,
        subject,
      };
  if (target.isUnresolved === true && scope.outside !== "allow") {
    const reason = `where ${target.path} really leads cannot be found out`;
    strictest = { verdict: "deny", rule: `${access}.unresolved`, reason, subject };
  }
  if (target.isUnknown === true) {
    const reason = `what is found below ${target.path} is known only when it runs`;
    strictest = { verdict: scope.outside, rule: `${access}.unknown`, reason, subject };
  }
  let isByName = false;
  for (const rule of mode.paths) {
    // A rule that asks too says more than the scope does.
    const isMore =
      isStricter(rule.verdict, strictest.verdict) ||
      (!isByName && rule.verdict === "ask" && strictest.verdict === "ask");
    if (rule.access === access && isMore && fitsPath(rule, target, place)) {
      isByName = true;
      strictest = {
        verdict: rule.verdict,
        rule: rule.id,
        reason: `it ${verb} ${target.path}: ${rule.reason}`,
        subject,
      };
    }
  }
  return strictest;
}

/** Inside the roots, and not a root as a whole. */
function isWithin(access: Access, target: PathTarget, { roots }: Place): boolean {
  const root = roots.find((candidate) => isInside(target.path, candidate));
  if (root === undefined) return false;
  if (access === "read" || target.isTree !== true) return true;
  const depth = root === "/" ? 0 : root.split("/").length - 1;
  const isAllOfRoot = target.globs?.get(depth)?.test("\u0000any name\u0000") === true;
  return target.path !== root && !isAllOfRoot;
}
