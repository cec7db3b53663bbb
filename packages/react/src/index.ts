export type {
  ComponentFailure,
  ComponentLink,
  ComponentOffer,
  ComponentPlace,
  ComponentProps,
  FrontendTool,
  FrontendToolCall,
  HookRequest,
  InterruptRequest,
  OfferState,
  Parse,
  PermissionRequest,
  QuestionRequest,
  RequestBlock,
  SendingMessage,
  SessionRequest,
  SharedStateChange,
  StandardSchema,
  ToolCallRequest,
  ToolView,
  UnsentEntry,
} from "@turnwire/client/binding";
export { useActivity } from "./activity.ts";
export { ComponentView, type ComponentViewProps } from "./component-view.tsx";
export { useConnection } from "./connection.ts";
export { useFrontendTool } from "./frontend-tool.ts";
export { useComponent, useRegistry } from "./live-registry.ts";
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
export {
  createRegistry,
  type Registry,
  type RegistryEntry,
  type UncheckedEntry,
} from "./registry.ts";
export { useRequest, useRequests } from "./request.ts";
export { useSend, useSending } from "./sending.ts";
export { useSessions, type SessionListState } from "./session-list.ts";
export { SessionProvider, useSession, type SessionProviderProps } from "./session-provider.tsx";
export { useSessionSelector } from "./session-selector.ts";
export { useSharedState, type PatchSharedState } from "./shared-state.ts";
export { Surface, useSurface, type SurfaceName, type SurfaceProps } from "./surface.tsx";
export { PlacedComponent, type PlacedComponentProps } from "./placed-component.tsx";
export { useCatalog, useToolView, type ToolViewOf } from "./tool-view.ts";
export { useTurn, type TurnState } from "./turn.ts";
export { TurnwireProvider, useClient, type TurnwireProviderProps } from "./turnwire-provider.tsx";
