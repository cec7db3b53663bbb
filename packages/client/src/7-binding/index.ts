export { emptyList } from "../6-session/session-list-view.ts";
export { createRequestList, requestFromBlock } from "./bind-request.ts";
export { explanation, type ComponentFailure, type ComponentPlace } from "./component-failure.ts";
export {
  catalogEntryOf,
  createRegistry,
  type ComponentLink,
  type ComponentOffer,
  type ComponentProps,
  type Prepared,
  type Registry,
  type RegistryEntry,
  type UncheckedEntry,
} from "./component-registry.ts";
export { ignoreRejection } from "./ignore-rejection.ts";
export { emptyView } from "./empty-view.ts";
export { serveFrontendTool, type FrontendTool, type FrontendToolCall } from "./frontend-tool.ts";
export { createLiveRegistry, type LiveRegistry } from "./live-registry.ts";
export { offerComponent, offering, type OfferState } from "./offer-component.ts";
export { errorFrom, parseWith, type Parse, type Parsed, type StandardSchema } from "./parse.ts";
export {
  createResolve,
  interruptLink,
  placedFrom,
  placedInterrupt,
  statusOf,
  type InterruptLink,
  type PlacedComponent,
  type ResolvedComponent,
} from "./placed-component.ts";
export { sendingMessages, type SendingMessage } from "./sending-message.ts";
export {
  holdSessionList,
  type SessionListLease,
  type SessionListQuery,
} from "./session-list-lease.ts";
export type {
  HookRequest,
  InterruptRequest,
  PermissionRequest,
  QuestionRequest,
  RequestBlock,
  SessionRequest,
  ToolCallRequest,
} from "./session-request.ts";
export { SharedState, type SharedStateChange } from "./shared-state.ts";
export { createSurfaceList, type SurfaceList } from "./surface-component.ts";
export { toolView, type ToolView, type ToolViewContext } from "./tool-view.ts";
export { unsentEntry, type EntryPlace, type UnsentEntry } from "./unsent-entry.ts";
export type { WithSession } from "./with-session.ts";
