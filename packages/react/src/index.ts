export { useActivity } from "./activity.ts";
export type { ComponentFailure } from "./component-fallback.tsx";
export { ComponentView, type ComponentViewProps } from "./component-view.tsx";
export { useConnection } from "./connection.ts";
export { useFrontendTool } from "./frontend-tool.ts";
export { Markdown, type MarkdownProps } from "./markdown.tsx";
export { MarkdownCodeLines } from "./markdown-code.tsx";
export type {
  MarkdownCodeProps,
  MarkdownComponents,
  MarkdownCopyProps,
  MarkdownImageProps,
  MarkdownLinkProps,
} from "./markdown-context.ts";
export { useMessage, useMessageIds, useMessages } from "./message.ts";
export type { Parse, StandardSchema } from "./parse.ts";
export {
  createRegistry,
  type ComponentLink,
  type ComponentProps,
  type Registry,
  type RegistryEntry,
  type UncheckedEntry,
} from "./registry.tsx";
export { useRequest, useRequests } from "./request.ts";
export { useSend, useSending, type SendingMessage } from "./sending.ts";
export type { FrontendTool, FrontendToolCall } from "./serve-frontend-tool.ts";
export { useSessions, type SessionListState } from "./session-list.ts";
export { SessionProvider, useSession, type SessionProviderProps } from "./session-provider.tsx";
export type {
  HookRequest,
  InterruptRequest,
  PermissionRequest,
  QuestionRequest,
  RequestBlock,
  SessionRequest,
  ToolCallRequest,
} from "./session-request.ts";
export { useSessionSelector } from "./session-selector.ts";
export { useSharedState, type PatchSharedState } from "./shared-state.ts";
export { Surface, useSurface, type SurfaceName, type SurfaceProps } from "./surface.tsx";
export { useTurn, type TurnState } from "./turn.ts";
export { TurnwireProvider, useClient, type TurnwireProviderProps } from "./turnwire-provider.tsx";
