export {
  applyJsonPatch,
  MAX_PATCHED_DEPTH,
  MAX_PATCHED_TEXT,
  type PatchResult,
} from "./apply-json-patch.ts";
export { Attachment, AttachmentDigest, MAX_EVENT_BYTES } from "./attachment.ts";
export { Budget, BudgetLimit, BudgetUse, SessionBudget } from "./budget.ts";
export { budgetLimits, reachedLimits, usedOf } from "./budget-use.ts";
export { Capabilities, type CapabilityName, ModeInfo, ModelInfo } from "./capabilities.ts";
export { CatalogEntries, CatalogEntry, ComponentStatus } from "./catalog.ts";
export { entryOf, extendedCatalog, stateComponentId, toolComponentId } from "./catalog-entry.ts";
export { closeCode } from "./close-code.ts";
export {
  Command,
  commandSchemas,
  MessageContent,
  type CommandOf,
  type CommandType,
  type MessageCommand,
} from "./command.ts";
export { ContentBlock, DocumentMediaType, ImageMediaType } from "./content.ts";
export {
  activityOf,
  controlOf,
  foldControl,
  grantsOf,
  initialControl,
  openRequests,
  outcomeOf,
  requestOf,
} from "./control.ts";
export {
  draft,
  envelope,
  eventData,
  EventType,
  SessionEvent,
  type EventData,
  type EventDraft,
  type EventDraftOf,
  type SessionEventOf,
} from "./event.ts";
export { firstLine } from "./first-line.ts";
export { fold, foldAll, initialState } from "./fold.ts";
export { propsAfter } from "./fold/component.ts";
export { interruptComponentId } from "./fold/request.ts";
export { Surface } from "./event/component.ts";
export { RequestPolicy, ToolPolicy } from "./event/policy.ts";
export { PlanStep } from "./event/progress.ts";
export { Answers, Outcome, PermissionGrant, Question } from "./event/request.ts";
export { SessionStatus } from "./event/session.ts";
export { Delivery, Usage } from "./event/turn.ts";
export { UiTool } from "./ui-tool.ts";
export { FrontendToolDeclaration, frontendToolsSchema } from "./frontend-tool.ts";
export { checkGrammar, Grammar, type Violation } from "./grammar.ts";
export type { GrammarRule } from "./grammar/rule.ts";
export { JsonObject, JsonValue } from "./json.ts";
export { isJsonEqual } from "./json-equal.ts";
export { JsonPatchOperation } from "./json-patch.ts";
export { pointerName, pointerNames, replaceAt, valueAt } from "./json-pointer.ts";
export { jsonSize, type JsonSize } from "./json-size.ts";
export { jsonSchemas, type JsonSchema, type JsonSchemaName } from "./json-schema.ts";
export { limits } from "./limit.ts";
export { HostInfo, HostList } from "./host.ts";
export { LoginChange, LoginInfo, LoginLinkInput, LoginList } from "./login.ts";
export { textFromContent, textOf } from "./message-text.ts";
export { partText } from "./complete-message.ts";
export { noCapabilities } from "./no-capabilities.ts";
export { SandboxWish, SessionSandbox } from "./sandbox.ts";
export { SessionMatch, SessionSearch } from "./search.ts";
export { pageKeyHeader, pageKeyProtocol, pageKeyStorage } from "./page-key.ts";
export { PathKind, PathList, PathQuery } from "./path.ts";
export {
  AddProject,
  DirectoryList,
  DirectoryQuery,
  Project,
  ProjectGit,
  ProjectList,
  projectOf,
  ProjectTrust,
} from "./project.ts";
export {
  PolicyFileInfo,
  PolicyInfo,
  PolicyLevel,
  PolicyModeInfo,
  PolicyQuery,
} from "./policy-info.ts";
export {
  PolicyRule,
  PolicyRuleChange,
  PolicyRuleInput,
  type WrittenPolicyRule,
} from "./policy-rule.ts";
export { accepted, rejected, type Result } from "./result.ts";
export {
  createSseDecoder,
  encodeSseComment,
  encodeSseFrame,
  type SseDecoder,
  type SseFrame,
} from "./sse.ts";
export { toolCallClaimMs, toolCallDeadline } from "./tool-call-claim.ts";
export { RelayInfo, RelayList } from "./relay.ts";
export { outputText, toolSummary } from "./tool-summary.ts";
export {
  SessionConfiguration,
  TrustFinding,
  TrustInfo,
  TrustInput,
  TrustList,
  TrustQuery,
  TrustStatus,
} from "./trust.ts";
export { validate } from "./validate.ts";
export { PROTOCOL_VERSION } from "./version.ts";
export { SessionList, WatchFrame } from "./watch.ts";
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
} from "./worktree.ts";
export {
  wireError,
  WireError,
  WireErrorBody,
  WireErrorCode,
  wireErrorStatus,
} from "./wire-error.ts";
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
} from "./session.ts";
export {
  McpServer,
  sessionConfiguration,
  SessionOption,
  SystemPrompt,
} from "./session-configuration.ts";
export { sessionCursor, sessionPositionFrom, type SessionPosition } from "./session-cursor.ts";
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
} from "./block.ts";
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
} from "./state.ts";
export {
  isAskedByAgent,
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
} from "./request-kind.ts";
export { resolutionDraft, resolutionOf } from "./resolution.ts";
