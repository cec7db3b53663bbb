export type { ComponentFailure } from "./component-failure.ts";
export {
  createRegistry,
  type ComponentLink,
  type ComponentProps,
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
export {
  useFrontendTool,
  type FrontendTool,
  type FrontendToolCall,
} from "./frontend-tool.svelte.ts";
export type { MarkdownProps, MarkdownSnippets } from "./markdown-context.ts";
export { default as Markdown } from "./Markdown.svelte";
export type { Parse, StandardSchema } from "./parse.ts";
export type { SendingMessage } from "./sending-message.ts";
export type { SessionListQuery, SessionListState } from "./session-list-state.svelte.ts";
export type {
  HookRequest,
  InterruptRequest,
  PermissionRequest,
  QuestionRequest,
  RequestBlock,
  SessionRequest,
  ToolCallRequest,
} from "./session-request.ts";
export type { SessionState, SessionStateOptions } from "./session-state.svelte.ts";
export type { ComponentViewProps, SurfaceSlotProps } from "./surface-slot.ts";
export { default as SurfaceSlot } from "./SurfaceSlot.svelte";
