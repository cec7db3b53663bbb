// A server in a program of yours.
export { createTurnwireServer, type TurnwireServer } from "./4-transport/server.ts";
export type { TurnwireServerOptions } from "./4-transport/server-options.ts";
export type { AuthOptions, AuthRequest } from "./4-transport/auth/auth.ts";
export type { LoginStore, TokenStore } from "./4-transport/auth/credential-store.ts";
export type { Listening, ListenOptions } from "./4-transport/http/bind.ts";
export { TransportError, type TransportErrorCode } from "./4-transport/http/transport-error.ts";
export type { Principal } from "@turnwire/protocol";

// Its sessions, and where they are kept.
export { createSessionHost } from "./3-host/create-session-host.ts";
export type { SessionHost } from "./3-host/session-host.ts";
export type { SessionHostOptions } from "./3-host/creation/session-host-options.ts";
export type { AuditAct, AuditLog, AuditText } from "./3-host/audit/audit-log.ts";
export type { PolicyRuleStore } from "./3-host/policy/rule-store.ts";
export {
  builtInPolicy,
  type PolicyInForce,
  type PolicySource,
} from "./2-session/policy/policy-source.ts";
export {
  createMemoryStore,
  openSqliteStore,
  type Store,
  StoreError,
  type StoreErrorCode,
} from "@turnwire/log";
