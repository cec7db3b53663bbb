import type { Access, Action, PathTarget } from "./action.ts";
import type { CommandRule } from "./argv-rule.ts";
import type { Judgement } from "./judge.ts";
import { isInside } from "./location.ts";
import { fitsHost } from "./network-target.ts";
import { fitsToolName } from "./tool-name.ts";

/** The subject of a rule of one's own. */
export type AllowedThing =
  | {
      readonly kind: "argv";
      readonly argv: readonly (string | readonly string[])[];
      /** Whether the command must have these words and no more. */
      readonly is_exact?: boolean | undefined;
    }
  | { readonly kind: "tool"; readonly tool: string }
  | { readonly kind: "path"; readonly path: string; readonly access: Access }
  | { readonly kind: "host"; readonly host: string };

/** A person's own rule: it allows what a mode would ask about, never what it denies. */
export type AllowRule = AllowedThing & {
  readonly id: string;
  /** The mode it is for; without it, every mode. */
  readonly mode?: string | undefined;
};

const reason = "a rule of your own allows it";

/** The rules on commands, as the walk over a script takes them. */
export function ownArgvRules(rules: readonly AllowRule[]): CommandRule[] {
  return rules.flatMap((rule) =>
    rule.kind === "argv"
      ? {
          id: rule.id,
          argv: rule.argv.map((word) => (typeof word === "string" ? word : [...word])),
          verdict: "allow" as const,
          reason,
          is_exact: rule.is_exact,
          isOwn: true,
        }
      : [],
  );
}

/** The judgement, or an allowing one where it asks and a rule allows the action. */
export function excusedByRule(
  judgement: Judgement,
  action: Action,
  { rules, home }: { readonly rules: readonly AllowRule[]; readonly home: string | undefined },
): Judgement {
  if (judgement.verdict !== "ask") return judgement;
  const rule = rules.find((candidate) => allows(candidate, action, { judgement, home }));
  return rule ? allowed(judgement, rule) : judgement;
}

/** The same for the use of a tool as such. */
export function excusedTool(judgement: Judgement, rules: readonly AllowRule[]): Judgement {
  if (judgement.verdict !== "ask") return judgement;
  const rule = rules.find(
    (candidate) => candidate.kind === "tool" && fitsToolName(candidate.tool, judgement.subject),
  );
  return rule ? allowed(judgement, rule) : judgement;
}

function allowed({ subject }: Judgement, { id }: AllowRule): Judgement {
  return { verdict: "allow", rule: id, reason, subject };
}

interface Asked {
  readonly judgement: Judgement;
  readonly home: string | undefined;
}

function allows(rule: AllowRule, action: Action, asked: Asked): boolean {
  switch (rule.kind) {
    case "host":
      return (
        action.type === "network" && action.host !== undefined && fitsHost(action.host, rule.host)
      );
    case "path":
      return action.type === "path" && action.access === rule.access && action.path !== undefined
        ? allowsPath(rule.path, action.path, asked)
        : false;
    case "argv":
    case "tool":
      return false;
  }
}

/** Only where it is certain that the target is what the rule names. */
function allowsPath(pattern: string, target: PathTarget, { judgement, home }: Asked): boolean {
  if (target.isUnresolved === true) return false;
  if (pattern.startsWith("~/") && home === undefined) return false;
  const wanted = pattern.startsWith("~/") ? `${home}${pattern.slice(1)}` : pattern;
  if (!wanted.endsWith("/")) {
    return target.path === wanted && target.isTree !== true && target.globs === undefined;
  }
  // A path that a mode asks about by name, such as a file of secrets, must be allowed by name.
  if (!/^(?:read|write)\./.test(judgement.rule)) return false;
  return isInside(knownStart(target), wanted.replace(/\/+$/, ""));
}

/** The path up to the first name that a glob finds. */
function knownStart({ path, globs }: PathTarget): string {
  if (!globs || globs.size === 0) return path;
  return `/${path
    .split("/")
    .slice(1, 1 + Math.min(...globs.keys()))
    .join("/")}`;
}

const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** The problems of a rule of one's own; one sentence each. */
export function allowRuleProblems(rule: AllowedThing): string[] {
  switch (rule.kind) {
    case "argv":
      return argvProblems(rule.argv);
    case "tool":
      return /[\p{L}\p{N}]/u.test(rule.tool) && !hidden.test(rule.tool)
        ? []
        : ["tool: it must name a tool; * alone would be every tool"];
    case "path":
      return pathProblems(rule.path);
    case "host":
      return /^(?:\*\.)?(?:[\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+$|^\[[0-9a-f:.]+\]$/iu.test(rule.host)
        ? []
        : ["host: it must be a name like example.com, without scheme, port and path"];
  }
}

function argvProblems(argv: readonly (string | readonly string[])[]): string[] {
  const words = argv.flat();
  return [
    ...(words.some((word) => word === "" || hidden.test(word))
      ? ["argv: a word is empty, or has control or invisible characters"]
      : []),
    ...([argv[0] ?? []].flat().some((word) => /\s/.test(word))
      ? ["argv: the first word is the program alone; write each word by itself"]
      : []),
  ];
}

function pathProblems(path: string): string[] {
  const names = path.replace(/^~?\//, "").replace(/\/$/, "").split("/");
  if (!/^~?\//.test(path)) return ["path: it must begin with / or ~/"];
  if (names.some((name) => name === "." || name === "..")) {
    return ["path: it must be a real path, without . and .."];
  }
  if (names.includes("")) return ["path: it must name a file or directory"];
  return hidden.test(path) || path.includes("*")
    ? ["path: it cannot have *, control or invisible characters; end it with / for a directory"]
    : [];
}
