export type { ReadableLog, StoredEvent } from "@turnwire/log";
export {
  type CloseReason,
  type Connection,
  type ConnectionOptions,
  type FollowEnd,
  type FollowedSession,
  type RightsEnd,
  type ServedFrames,
  type SocketPeer,
  reaching,
  unchanged,
} from "./connection.ts";
export { type Cursor, catchUpWith, cursorFrom, resumePosition } from "./cursor.ts";
export type { Dialect, Frame, StatefulDialect, StatelessDialect } from "./dialect.ts";
export { type Encoding, SLICE_BYTES } from "./encoding/encoding.ts";
export { websocket, websocketKeepalive, websocketLines } from "./encoding/websocket.ts";
export type { FrameLease, FrameRead, FrameRun, FrameSource, WireFormat } from "./frame-source.ts";
export { gapError } from "./gap.ts";
export { type HttpResponse, TAKEN, empty, json, jsonText, refused } from "./http-response.ts";
export { jsonFromBytes } from "./json-text.ts";
export { LineCarry } from "./line-carry.ts";
export type { WireListener } from "./listener.ts";
export { type CommandForm, commandForm } from "./native/command-form.ts";
export { native } from "./native/native.ts";
export { SessionPatch, settingCommandsFrom } from "./native/session-patch.ts";
export type { Accepted, OpenSession } from "./open-session.ts";
export {
  type Access,
  type AnswerShape,
  type Call,
  type DescribedPaths,
  type OpenCall,
  type Route,
  type RouteRight,
  noBody,
  openSession,
  sessionRoute,
} from "./route.ts";
export { type ChangeListener, changedSession, type SessionChange } from "./session-change.ts";
export type { SocketCall, SocketRoute } from "./socket-route.ts";
export {
  controlRequestId,
  controlResponse,
  initializeResponse,
  isInitialize,
} from "./stream-json/control-line.ts";
export { initFrame } from "./stream-json/conversation.ts";
export { plainFrame } from "./stream-json/line.ts";
export { conversationFrames, openingFrames } from "./stream-json/opening.ts";
export { framesFrom } from "./stream-json/projection.ts";
export { type AskedRequest, isAsked } from "./stream-json/request.ts";
export { streamJson } from "./stream-json/stream-json.ts";
export { openTaskFrames } from "./stream-json/task.ts";
export { withWholeContent } from "./whole-content.ts";
export type { PastConversations, SessionStream, Wire, WireContext, WireHost } from "./wire.ts";
