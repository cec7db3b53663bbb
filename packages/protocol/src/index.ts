export type { LostTurnCode } from "./event/progress.ts";
export { applyJsonPatch, type PatchResult } from "./json/apply-json-patch.ts";
export { Attachment, AttachmentDigest, MAX_EVENT_BYTES } from "./part/attachment.ts";
export { Budget, BudgetLimit, BudgetUse, SessionBudget } from "./part/budget.ts";
export { budgetLimits, reachedLimits, usedOf } from "./part/budget-use.ts";
export {
  Capabilities,
  type CapabilityName,
  containmentProblem,
  ModeInfo,
  ModelInfo,
} from "./part/capabilities.ts";
export { CatalogEntry, ComponentStatus } from "./part/catalog.ts";
export {
  entryOf,
  extendedCatalog,
  stateComponentId,
  toolComponentId,
} from "./part/catalog-entry.ts";
export { closeCode } from "./wire/close-code.ts";
export {
  Command,
  commandSchemas,
  MessageContent,
  canReach,
  type CommandOf,
  type Owned,
  type Principal,
  type PrincipalToken,
  type SettingCommand,
  type CommandType,
  type MessageCommand,
} from "./command/command.ts";
export { ContentBlock, DocumentMediaType, ImageMediaType } from "./part/content.ts";
export {
  activityOf,
  controlOf,
  foldControl,
  grantsOf,
  initialControl,
  openRequests,
  outcomeOf,
  requestOf,
} from "./fold/control.ts";
export {
  draft,
  eventData,
  EventType,
  SessionEvent,
  type EventData,
  type EventDraft,
  type EventDraftOf,
  type SessionEventOf,
} from "./event/event.ts";
export { firstLine } from "./state/first-line.ts";
export { fold, foldAll, initialState } from "./fold/fold.ts";
export { propsAfter } from "./fold/component.ts";
export { interruptComponentId } from "./fold/request.ts";
export { Surface } from "./part/surface.ts";
export { CommandContainment, RequestPolicy, ToolPolicy } from "./event/policy.ts";
export { PlanStep } from "./event/progress.ts";
export { Answers, Outcome, PermissionGrant, Question } from "./event/request.ts";
export { SessionStatus } from "./event/session.ts";
export { Delivery, Usage } from "./event/turn.ts";
export { UiTool } from "./part/ui-tool.ts";
export { FrontendToolDeclaration, frontendToolsSchema } from "./part/frontend-tool.ts";
export { checkGrammar, Grammar, type Violation } from "./grammar/grammar.ts";
export type { GrammarRule } from "./grammar/rule.ts";
export { JsonObject, JsonValue } from "./json/json.ts";
export { isJsonEqual } from "./json/json-equal.ts";
export { JsonPatchOperation } from "./json/json-patch.ts";
export { pointerName, pointerNames, replaceAt, valueAt } from "./json/json-pointer.ts";
export { jsonSize, type JsonSize } from "./json/json-size.ts";
export { jsonSchemas, type JsonSchema, type JsonSchemaName } from "./json-schema.ts";
export { limits } from "./part/limit.ts";
export { accountText, AgentAccount } from "./part/account.ts";
export { ContextUsage } from "./part/context-usage.ts";
export { ReviewTarget, reviewTargetFrom } from "./part/review.ts";
export { currentLimits, RateLimit } from "./part/rate-limit.ts";
export { toolCallClaimMs } from "./part/claim-time.ts";
export { AuditEntry, AuditPage } from "./resource/audit.ts";
export { HostInfo, HostList } from "./resource/host.ts";
export { LoginChange, LoginInfo, LoginLinkInput, LoginList } from "./resource/login.ts";
export { CreatedToken, CreateToken, TokenInfo, TokenList } from "./resource/token.ts";
export { TokenScope } from "./part/token-scope.ts";
export { textFromContent, textOf } from "./state/message-text.ts";
export { partText } from "./state/complete-message.ts";
export { noCapabilities } from "./part/no-capabilities.ts";
export { SandboxWish, SessionSandbox } from "./part/sandbox.ts";
export { SessionMatch, SessionSearch } from "./resource/search.ts";
export { pageKeyHeader, pageKeyProtocol, pageKeyStorage } from "./wire/page-key.ts";
export { PathList, PathQuery } from "./resource/path.ts";
export {
  AddProject,
  DirectoryList,
  DirectoryQuery,
  Project,
  ProjectGit,
  ProjectList,
  projectOf,
  ProjectTrust,
} from "./resource/project.ts";
export {
  PolicyFileInfo,
  PolicyInfo,
  PolicyLevel,
  PolicyModeInfo,
  PolicyQuery,
} from "./resource/policy-info.ts";
export {
  PolicyRule,
  PolicyRuleChange,
  PolicyRuleInput,
  type WrittenPolicyRule,
} from "./resource/policy-rule.ts";
export { accepted, rejected, type Result } from "./wire/result.ts";
export {
  createSseDecoder,
  encodeSseComment,
  encodeSseFrame,
  type SseDecoder,
  type SseFrame,
} from "./wire/sse.ts";
export { toolCallDeadline } from "./state/tool-call-claim.ts";
export { RelayInfo, RelayList } from "./resource/relay.ts";
export { outputText, toolSummary } from "./state/tool-summary.ts";
export {
  SessionConfiguration,
  TrustFinding,
  TrustInfo,
  TrustInput,
  TrustList,
  TrustQuery,
  TrustStatus,
} from "./part/trust.ts";
export { validate } from "./wire/validate.ts";
export { PROTOCOL_VERSION } from "./wire/version.ts";
export { SessionList, WatchFrame } from "./resource/watch.ts";
export {
  DeletedSession,
  DeleteSessionQuery,
  RemoveWorktreeQuery,
  Worktree,
  WorktreeChoice,
  WorktreeContents,
  WorktreeInfo,
  WorktreeKeepReason,
  WorktreeList,
  WorktreeRemoval,
  WorktreeRequest,
  WorktreeSetup,
} from "./part/worktree.ts";
export {
  wireError,
  WireError,
  WireErrorBody,
  WireErrorCode,
  wireErrorStatus,
} from "./wire/wire-error.ts";
export {
  CreateSession,
  ImportSession,
  PastSession,
  ResumeSession,
  RuntimeConnection,
  RuntimeInfo,
  SendMessage,
  SessionActivity,
  SessionId,
  SessionInfo,
} from "./resource/session.ts";
export {
  McpServer,
  sessionConfiguration,
  SessionOption,
  SystemPrompt,
} from "./part/session-configuration.ts";
export {
  sessionCursor,
  sessionPositionFrom,
  type SessionPosition,
} from "./resource/session-cursor.ts";
export type {
  Block,
  BudgetBlock,
  ComponentBlock,
  DiffBlock,
  ErrorBlock,
  HasAttachments,
  HookBlock,
  InterruptBlock,
  NoticeBlock,
  PermissionBlock,
  PlanBlock,
  QuestionBlock,
  RequestBlock,
  RequestStatus,
  SubagentBlock,
  TextBlock,
  ThinkingBlock,
  ToolBlock,
  ToolCallBlock,
  ToolPermission,
} from "./state/block.ts";
export {
  SessionState,
  type Activity,
  type AgentMessage,
  type Component,
  type Control,
  type Message,
  type OpenRequest,
  type OpenToolCall,
  type QueuedMessage,
  type SessionFacts,
  type TaskState,
  type ToolCallClaim,
  type Turn,
  type UserMessage,
} from "./state/state.ts";
export {
  isAskedByAgent,
  isAskedByProgram,
  isRequest,
  isRequestBlock,
  isResolution,
  requestId,
  requestKindOf,
  requestKinds,
  resolutionTypes,
  type AgentRequestKind,
  type AnswerCommand,
  type AnswerTo,
  type RequestKind,
  type RequestType,
  type RequestTypeOf,
  type Resolution,
  type ResolutionType,
} from "./state/request-kind.ts";
export { resolutionDraft, resolutionOf } from "./state/resolution.ts";
