import { isObject } from "@turnwire/base";
import { posix } from "node:path";
import { Collector, collectCommand, type Evaluation, type PolicyContext } from "./evaluate.ts";
import type { Access } from "./action.ts";
import { excusedTool } from "./allow-rule.ts";
import type { Judgement } from "./judge.ts";
import { targetsOf } from "./location.ts";
import type { Mode, ToolRule } from "./mode.ts";
import { hostOf } from "./network-target.ts";
import { textProblem } from "./shell/preflight.ts";
import { wordFromText } from "./shell/shell-word.ts";
import { fitsToolName } from "./tool-name.ts";
import { isStricter } from "./verdict.ts";

/** A tool that an agent wants to use. */
export interface ToolCall {
  readonly tool: string;
  readonly input: unknown;
}

/** Fields that hold a path, by tool. */
const pathFields: Readonly<Record<string, readonly [Access, ...string[]]>> = {
  Read: ["read", "file_path"],
  NotebookRead: ["read", "notebook_path"],
  Glob: ["read", "path"],
  Grep: ["read", "path"],
  LS: ["read", "path"],
  Write: ["write", "file_path"],
  Edit: ["write", "file_path"],
  MultiEdit: ["write", "file_path"],
  NotebookEdit: ["write", "notebook_path"],
};
const optionalPath = new Set(["Glob", "Grep", "LS"]);

/** The verdict of a mode on the call of a tool: the tool itself, and the command, path or address it is given. */
export function evaluateToolCall(call: ToolCall, context: PolicyContext): Evaluation {
  const collector = new Collector(context);
  collectToolCall(call, collector);
  return collector.evaluation();
}

/** Adds all that the call of a tool would do. */
export function collectToolCall({ tool, input }: ToolCall, collector: Collector): void {
  collector.addJudgement(excusedTool(judgeTool(tool, collector.mode), collector.rules));
  const fields = isObject(input) ? input : {};
  const opaque = (reason: string): void =>
    collector.add({ type: "kind", kind: "opaque", reason, subject: tool });
  if (tool === "Bash") {
    const { command } = fields;
    if (typeof command === "string") collectCommand(command, collector);
    else opaque("it has no command");
  }
  const paths = pathFields[tool];
  if (paths) collectPaths({ tool, fields, paths }, collector);
  if (tool === "WebFetch") collectAddress(fields["url"], collector);
}

function judgeTool(tool: string, mode: Mode): Judgement {
  const fitting = mode.tools.filter((rule) => fitsTool(rule, tool));
  const strictest = fitting.reduce<ToolRule | undefined>(
    (found, rule) => (!found || isStricter(rule.verdict, found.verdict) ? rule : found),
    undefined,
  );
  if (strictest) {
    const { verdict, id, reason } = strictest;
    return { verdict, rule: id, reason, subject: tool };
  }
  return {
    verdict: mode.other_tools,
    rule: "tools.other",
    reason: "no rule names this tool",
    subject: tool,
  };
}

function fitsTool({ tools }: ToolRule, tool: string): boolean {
  return tools.some((pattern) => fitsToolName(pattern, tool));
}

interface PathCall {
  readonly tool: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly paths: readonly [Access, ...string[]];
}

function collectPaths({ tool, fields, paths }: PathCall, collector: Collector): void {
  const [access, ...names] = paths;
  const { cwd } = collector.facts;
  const pattern = tool === "Glob" && typeof fields["pattern"] === "string" ? fields["pattern"] : "";
  const start = /^[^*?[{]*/.exec(pattern)?.[0] ?? "";
  const given = [
    ...names.map((name) => fields[name]),
    ...(/^\s*[/~]|\.\./.test(pattern) ? [start] : []),
  ];
  for (const value of given) {
    if (value === undefined && optionalPath.has(tool)) continue;
    if (
      typeof value !== "string" ||
      value === "" ||
      textProblem(value) !== undefined ||
      value.includes("\n")
    ) {
      collector.add({ type: "path", access, subject: tool });
      continue;
    }
    for (const meant of meantPaths(value, collector.facts.home)) {
      const paths =
        meant === undefined ? undefined : targetsOf(wordFromText(meant), [cwd], collector.facts);
      for (const path of paths ?? [undefined]) {
        collector.add({ type: "path", access, ...(path !== undefined && { path }), subject: tool });
      }
    }
  }
}

/**
 * Claude's file tools trim a path, expand a tilde and take `..` out before they look at the disk (seen with 2.1.325); the
 * path as it is written counts as well. Undefined: not known.
 */
function meantPaths(written: string, home: string | undefined): Set<string | undefined> {
  const trimmed = written.trim();
  const isInHome = trimmed === "~" || trimmed.startsWith("~/");
  if (isInHome && home === undefined) return new Set([written, undefined]);
  const expanded = isInHome ? `${home}${trimmed.slice(1)}` : trimmed;
  return new Set([written, expanded, posix.normalize(expanded)]);
}

const privateHost =
  /^(?:localhost|.*\.(?:localhost|local|internal)|0\..*|10\..*|127\..*|169\.254\..*|172\.(?:1[6-9]|2\d|3[01])\..*|192\.168\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|\[.*\]|[^.]+)$/;

/** Public addresses are the tool's own business; others lead into networks that the model should not see. */
function collectAddress(url: unknown, collector: Collector): void {
  const host = typeof url === "string" && /^https?:\/\//i.test(url) ? hostOf(url) : undefined;
  if (host === undefined || privateHost.test(host)) {
    collector.add({ type: "network", host, subject: "WebFetch" });
  }
}
