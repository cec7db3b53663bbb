// A server in a program of yours.
export { createTurnwireServer, type TurnwireServer } from "./4-transport/server.ts";
export type { TurnwireServerOptions } from "./4-transport/server-options.ts";
export type { AuthOptions, AuthRequest } from "./4-transport/auth/auth.ts";
export type { LoginStore } from "./4-transport/auth/login-store.ts";
export type { Listening, ListenOptions } from "./4-transport/http/bind.ts";
export { TransportError, type TransportErrorCode } from "./4-transport/http/transport-error.ts";
export type { RelayOptions } from "./4-transport/relay/relay.ts";
export type { Principal } from "@turnwire/protocol";

// Its sessions, and where they are kept.
export { createSessionHost } from "./3-host/create-session-host.ts";
export type { SessionHost } from "./3-host/session-host.ts";
export type { SessionHostOptions } from "./3-host/creation/session-host-options.ts";
export type { PolicyRuleStore } from "./3-host/policy/rule-store.ts";
export type { ProjectSettings } from "./1-workspace/project/projects.ts";
export type { ProjectStore } from "./1-workspace/project/project-store.ts";
export type { TrustStore } from "./1-workspace/trust/trust-store.ts";
export type { WorktreeSettings } from "./1-workspace/worktree/worktrees.ts";
export {
  builtInPolicy,
  type PolicyInForce,
  type PolicySource,
} from "./2-session/policy/policy-source.ts";
export {
  createMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
  StoreError,
  type StoreErrorCode,
} from "@turnwire/log";

// Its kinds of agents.
export { type ClaudeRuntimeOptions, createClaudeRuntime } from "./1-runtime/claude/runtime.ts";
export {
  type ClaudeCliRuntimeOptions,
  createClaudeCliRuntime,
} from "./1-runtime/claude-cli/runtime.ts";
export { type CodexRuntimeOptions, createCodexRuntime } from "./1-runtime/codex/runtime.ts";
export { createCodexExecRuntime } from "./1-runtime/codex/exec/runtime.ts";
export type { DemoPace } from "./1-runtime/demo/stage/pace.ts";
export { createDemoRuntime, type DemoRuntimeOptions } from "./1-runtime/demo/runtime.ts";
export { openProcessRegistry, type ProcessRegistry } from "./1-runtime/process/process-registry.ts";

// A kind of agent of yours: docs/guides/write-a-runtime.md.
export type {
  ForkSource,
  RequestAnswer,
  RollbackOptions,
  Run,
  RunOptions,
  Runtime,
  RuntimeCheck,
  RuntimeHistory,
  TurnInput,
  UnfinishedTurns,
} from "./1-runtime/runtime.ts";
export type { NativeEnd, Normalizer } from "./1-runtime/normalizer.ts";
export { RuntimeError, type RuntimeErrorCode } from "./1-runtime/process/runtime-error.ts";
export {
  type GatedCall,
  type PolicyDecision,
  requestPolicy,
  type ToolGate,
} from "./1-runtime/tool-gate.ts";
export {
  type AgentProcess,
  type AgentProcessOptions,
  spawnAgentProcess,
} from "./1-runtime/process/agent-process.ts";
