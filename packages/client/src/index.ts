export { ClientError, type ClientErrorCode } from "./5-connection/client-error.ts";
export type { Snapshot } from "./5-connection/connection-state.ts";
export type { Fetch, Hint, Platform, WebSocketPort } from "./5-connection/platform.ts";
export type {
  Accepted,
  AcceptedMessage,
  CallOptions,
  EventPage,
  OwnCommand,
  SessionApi,
  SessionList,
  SessionQuery,
  SharedState,
} from "./6-session/session-api.ts";
export type {
  ConnectionView,
  OutgoingMessage,
  RequestProgress,
  SessionView,
} from "./6-session/session-view.ts";
export type { OpenSessionOptions, SendOptions, Session } from "./6-session/session.ts";
export type { WaitOptions } from "./6-session/wait-for-view.ts";
export {
  createClient,
  type ClientOptions,
  type EventsOptions,
  type Health,
  type TurnwireClient,
} from "./client.ts";
