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
  SessionListQuery,
  SessionRequest,
  StandardSchema,
  ToolCallRequest,
  UnsentEntry,
} from "@turnwire/client/binding";
export {
  createRegistry,
  type Registry,
  type RegistryEntry,
  type UncheckedEntry,
} from "./component-registry.ts";
export { default as ComponentView } from "./ComponentView.svelte";
export {
  setSession,
  setTurnwire,
  useSession,
  useSessions,
  useTurnwire,
  type Turnwire,
  type ValueOrGetter,
} from "./context.ts";
export { useFrontendTool } from "./frontend-tool.svelte.ts";
export { useComponent } from "./offered-component.svelte.ts";
export type { MarkdownProps, MarkdownSnippets } from "./markdown-context.ts";
export { default as Markdown } from "./Markdown.svelte";
export type { LiveSessionList } from "./live-session-list.svelte.ts";
export type { LiveSession, LiveSessionOptions } from "./live-session.svelte.ts";
export type { ComponentViewProps, SurfaceSlotProps } from "./surface-slot.ts";
export { default as SurfaceSlot } from "./SurfaceSlot.svelte";
