export { type ConnectionStep, sentenceFromStep } from "./connection-step.ts";
export { type DefaultAgent, missingAgents } from "./default-agent.ts";
export {
  type AdoptedCli,
  type CliLink,
  type DialInHost,
  type DialInPort,
  type DialledConversation,
  finalCloseCode,
  type FirstPrompt,
} from "./dial-in-port.ts";
export {
  type Elicitation,
  type ElicitationAnswer,
  elicitationAnswer,
  elicitationQuestions,
} from "./elicitation.ts";
export {
  type PastMessage,
  retellConversation,
  type RetoldConversation,
} from "./past-conversation.ts";
export { type FileRead, fileReadFrom } from "./file-read.ts";
export { decisionOn, refusalText, strictest } from "./gated-decision.ts";
export { missingRuntime } from "./missing-runtime.ts";
export type { NativeEnd, Normalizer } from "./normalizer.ts";
export { checkParams, paramsFrom } from "./params.ts";
export { RuntimeError, type RuntimeErrorCode } from "./process/runtime-error.ts";
export { isRequestAbout, RequestIds } from "./request-ids.ts";
export { type RunDefaults, withDefaults } from "./run-defaults.ts";
export type {
  ForkSource,
  LostInput,
  MissedTurnQuery,
  ProjectAccess,
  RequestAnswer,
  RollbackOptions,
  Run,
  RunConfiguration,
  RunOptions,
  Runtime,
  RuntimeCheck,
  RuntimeHistory,
  TimedDraft,
  TurnInput,
  UnfinishedTurns,
} from "./runtime.ts";
export { readServerVersion } from "./server-version.ts";
export {
  andThen,
  forEach,
  type StepOf,
  withEntry,
  withMember,
  withoutEntry,
  withoutMember,
} from "./step.ts";
export {
  type GatedCall,
  type PolicyDecision,
  requestPolicy,
  type SandboxNeed,
  type ToolGate,
} from "./tool-gate.ts";
export type { TranscriptPort } from "./transcript-port.ts";
export type { ComponentWish, ShownComponent, UiPort } from "./ui-port.ts";
export { hunksOf, type Replacement, unifiedDiff } from "./unified-diff.ts";
