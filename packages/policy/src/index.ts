export { type AllowedThing, type AllowRule, allowRuleProblems } from "./allow-rule.ts";
export { builtInModes } from "./default-policy.ts";
export { type Evaluation, evaluateCommand, type PolicyContext } from "./evaluate.ts";
export type { DirectoryEntry, Facts } from "./facts.ts";
export type { Containment, Judgement } from "./judge.ts";
export { type GuardedPaths, guardedPaths } from "./guarded-path.ts";
export { isLooser } from "./looser.ts";
export { Mode, PolicyFile } from "./mode.ts";
export {
  defaultPolicy,
  modeOf,
  parsePolicy,
  type Policy,
  unknownMode,
  withoutModes,
  withRules,
} from "./policy.ts";
export { parseProjectPolicy } from "./project-policy.ts";
export { PolicyError } from "./policy-error.ts";
export { suggestedRule } from "./suggested-rule.ts";
export { evaluateToolCall, type ToolCall } from "./tool-call.ts";
export { isUnrestricted } from "./unrestricted.ts";
export { isStricter, Verdict } from "./verdict.ts";
