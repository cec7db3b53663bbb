import type { Facts } from "./facts.ts";
import type { Finding, PathFinding } from "./finding.ts";
import { isInside } from "./location.ts";
import type { Mode } from "./mode.ts";
import { fitsHost, isLocalHost } from "./network-target.ts";
import { fitsPath } from "./path-rule.ts";
import { isStricter, type Verdict } from "./verdict.ts";

/** A finding with what the mode says about it. */
export interface Judgement {
  readonly verdict: Verdict;
  /** The id of the rule that decided. */
  readonly rule: string;
  /** Why, in words for people. */
  readonly reason: string;
  /** The part of the command that it is about. */
  readonly subject: string;
}

type Place = Pick<Facts, "roots" | "home">;

/** What a mode says about one finding. */
export function judge(finding: Finding, mode: Mode, place: Place): Judgement {
  const judgement = judgeAlone(finding, mode, place);
  return finding.isExcused === true && judgement.verdict === "ask"
    ? { ...judgement, verdict: "allow" }
    : judgement;
}

function judgeAlone(finding: Finding, mode: Mode, place: Place): Judgement {
  const { subject } = finding;
  switch (finding.type) {
    case "kind": {
      const verdict = mode.findings[finding.kind] ?? "ask";
      return { verdict, rule: finding.kind, reason: finding.reason, subject };
    }
    case "rule":
      return { verdict: finding.verdict, rule: finding.id, reason: finding.reason, subject };
    case "network":
      return judgeHost(finding.host, mode, subject);
    case "path":
      return judgePath(finding, mode, place);
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

function judgePath(finding: PathFinding, mode: Mode, place: Place): Judgement {
  const { access, path: target, subject } = finding;
  const scope = mode[access];
  const verb = access === "read" ? "reads" : "writes";
  if (!target) {
    const reason = `which file it ${verb} is known only when it runs`;
    return { verdict: scope.outside, rule: `${access}.unknown`, reason, subject };
  }
  let strictest: Judgement = isWithin(finding, place)
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
  for (const rule of mode.paths) {
    if (
      rule.access === access &&
      isStricter(rule.verdict, strictest.verdict) &&
      fitsPath(rule, target, place)
    ) {
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
function isWithin({ access, path: target }: PathFinding, { roots }: Place): boolean {
  if (!target) return false;
  const root = roots.find((candidate) => isInside(target.path, candidate));
  if (root === undefined) return false;
  if (access === "read" || target.isTree !== true) return true;
  const depth = root === "/" ? 0 : root.split("/").length - 1;
  const isAllOfRoot = target.globs?.get(depth)?.test("\u0000any name\u0000") === true;
  return target.path !== root && !isAllOfRoot;
}
