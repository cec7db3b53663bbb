import type { ComponentFailure } from "@turnwire/client/binding";
import type { ComponentBlock, InterruptBlock, Surface, ToolBlock } from "@turnwire/protocol";
import type { Snippet } from "svelte";

interface FallbackProps {
  /** Stands where a component cannot be shown; without it, a line that explains why. */
  readonly fallback?: Snippet<[ComponentFailure]> | undefined;
}

export interface SurfaceSlotProps extends FallbackProps {
  /** Of the chat it shows only components of parts of the shared state: the rest are blocks of messages. */
  readonly surface: Surface;
  /** Shown while the surface is empty. */
  readonly empty?: Snippet | undefined;
}

export interface ComponentViewProps extends FallbackProps {
  readonly block: ComponentBlock | InterruptBlock | ToolBlock;
  /** How a tool use is shown that no component represents. */
  readonly children?: Snippet | undefined;
}
