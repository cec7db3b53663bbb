export {
  type AgentProcess,
  type AgentProcessLimits,
  type AgentProcessOptions,
  spawnAgentProcess,
} from "./1-runtime/process/agent-process.ts";
export { type ClaudeRuntimeOptions, createClaudeRuntime } from "./1-runtime/claude/runtime.ts";
export {
  type ClaudeCliRuntimeOptions,
  createClaudeCliRuntime,
} from "./1-runtime/claude-cli/runtime.ts";
export type { CliLink, AdoptedCli } from "./1-runtime/dial-in-port.ts";
export { codexBinary } from "./1-runtime/codex/setting/binary.ts";
export { createCodexExecRuntime } from "./1-runtime/codex/exec/runtime.ts";
export { type CodexRuntimeOptions, createCodexRuntime } from "./1-runtime/codex/runtime.ts";
export { type Clock, type Logger, systemClock } from "@turnwire/base";
export { demoScenarios } from "./1-runtime/demo/scenario/catalog.ts";
export type { DemoPace } from "./1-runtime/demo/stage/pace.ts";
export { createDemoRuntime, type DemoRuntimeOptions } from "./1-runtime/demo/runtime.ts";
export {
  LineSplitter,
  type LineSplitterOptions,
  type SplitLine,
} from "./1-runtime/process/line-splitter.ts";
export { childEnvironment } from "./1-runtime/process/environment.ts";
export {
  openProcessRegistry,
  ProcessRegistry,
  type ProcessRegistryOptions,
  type ReapReport,
} from "./1-runtime/process/process-registry.ts";
export type { NativeEnd, Normalizer } from "./1-runtime/normalizer.ts";
export type {
  ForkSource,
  MissedTurnQuery,
  RequestAnswer,
  LostInput,
  UnfinishedTurns,
  RollbackOptions,
  Run,
  RunOptions,
  Runtime,
  RuntimeCheck,
  RuntimeHistory,
  TimedDraft,
  TurnInput,
} from "./1-runtime/runtime.ts";
export { RuntimeError, type RuntimeErrorCode } from "./1-runtime/process/runtime-error.ts";
export {
  type GatedCall,
  type PolicyDecision,
  requestPolicy,
  type SandboxNeed,
  type ToolGate,
} from "./1-runtime/tool-gate.ts";
export {
  builtInPolicy,
  type PolicyInForce,
  type PolicySource,
  type ProjectPolicyFiles,
} from "./2-session/policy/policy-source.ts";
export {
  type AppendBatch,
  type BaseState,
  type ByteRange,
  checkPostgres,
  createMemoryStore,
  type DamagedRange,
  type Lease,
  type LeaseRequest,
  type LocalPostgres,
  lockDataDirectory,
  type NewAttachment,
  openPostgresStore,
  openSqliteStore,
  type PostgresStoreOptions,
  type ProcessLock,
  type RecordPatch,
  type SessionFilter,
  type SessionRecord,
  type SqliteStoreOptions,
  sqliteVersion,
  startLocalPostgres,
  type Store,
  type StoredAttachment,
  type StoredEvent,
  type StoredInput,
  StoreError,
  type StoreErrorCode,
  type StoreHealth,
} from "@turnwire/log";
export {
  createProjectFile,
  ProjectRecord,
  type ProjectStore,
} from "./1-workspace/project/project-store.ts";
export { Projects, type ProjectSettings } from "./1-workspace/project/projects.ts";
export type { Principal } from "./0-storage/principal.ts";
export { runDefaultsFrom } from "./2-session/decide/session-option.ts";
export { createSharedPlaces, type SharedPlacesOptions } from "./3-host/shared-places.ts";
export { chooseRuntime } from "./3-host/runtime/runtime-list.ts";
export { createSessionHost } from "./3-host/create-session-host.ts";
export { SessionHost } from "./3-host/session-host.ts";
export type { SessionHostOptions } from "./3-host/creation/session-host-options.ts";
export { Policies } from "./3-host/policy/policies.ts";
export {
  PolicyFiles,
  type PolicyFilesOptions,
  type PolicyReport,
} from "./3-host/policy/policy-files.ts";
export {
  createMemoryPolicyRules,
  createPolicyRuleFile,
  type PolicyRuleStore,
} from "./3-host/policy/rule-store.ts";
export type { WorktreeSettings } from "./1-workspace/worktree/worktrees.ts";
export { createTrustFile } from "./1-workspace/trust/trust-file.ts";
export {
  createMemoryTrust,
  TrustRecord,
  type TrustStore,
} from "./1-workspace/trust/trust-store.ts";
export {
  TrustedDirectories,
  type TrustedDirectoriesOptions,
} from "./1-workspace/trust/trusted-directories.ts";
export type {
  ConfigurationRule,
  ConfigurationSources,
  Definition,
  Reach,
} from "./1-runtime/configuration/rule.ts";
export type { Dialect, Frame, StatefulDialect, StatelessDialect } from "./3-dialect/dialect.ts";
export type { AuthOptions, AuthRequest } from "./4-transport/auth/auth.ts";
export { createLoginFile, LoginRecord, type LoginStore } from "./4-transport/auth/login-store.ts";
export { isHostName } from "./4-transport/http/host-list.ts";
export type { RelayOptions } from "./4-transport/relay/relay.ts";
export { isPortTaken, type Listening, type ListenOptions } from "./4-transport/http/bind.ts";
export { createTurnwireServer, TurnwireServer } from "./4-transport/server.ts";
export type { TurnwireServerOptions } from "./4-transport/server-options.ts";
export { checkToken, loadSharedToken, loadToken } from "./4-transport/auth/token.ts";
export { TransportError, type TransportErrorCode } from "./4-transport/http/transport-error.ts";
export type { WebkitOptions } from "./4-transport/stream/webkit-position.ts";
