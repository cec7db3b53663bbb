export type { SessionList } from "@turnwire/protocol";
export { ClientError, type ClientErrorCode } from "./5-connection/client-error.ts";
export type { Snapshot } from "./5-connection/connection-state.ts";
export type { TransportName } from "./5-connection/transport.ts";
export type { Fetch, Hint, Platform, WebSocketPort } from "./5-connection/platform.ts";
export type {
  Accepted,
  AcceptedMessage,
  CallOptions,
  DeleteOptions,
  EventPage,
  OwnCommand,
  SessionApi,
  SessionQuery,
  SharedState,
} from "./6-session/session-api.ts";
export type { LoginApi } from "./6-session/login-api.ts";
export type { TokenApi } from "./6-session/token-api.ts";
export type { PolicyApi } from "./6-session/policy-api.ts";
export type { ProjectApi } from "./6-session/project-api.ts";
export type { TrustApi } from "./6-session/trust-api.ts";
export type { WorktreeApi } from "./6-session/worktree-api.ts";
export type {
  ConnectionView,
  OutgoingMessage,
  RequestProgress,
  SessionView,
} from "./6-session/session-view.ts";
export type { SessionListStore } from "./6-session/session-list-store.ts";
export type { SessionListView } from "./6-session/session-list-view.ts";
export type { OpenSessionOptions, SendOptions, Session } from "./6-session/session.ts";
export type { SharedSession } from "./6-session/shared-session.ts";
export type { WaitOptions } from "./6-session/wait-for-view.ts";
export {
  createClient,
  type ClientOptions,
  type EventsOptions,
  type Health,
  type PathOptions,
  type TurnwireClient,
} from "./client.ts";
