import type { ComponentFailure } from "@turnwire/client/binding";
import type { ComponentBlock, InterruptBlock, Surface } from "@turnwire/protocol";
import type { Snippet } from "svelte";

interface FallbackProps {
  /** Stands where a component cannot be shown; without it, a line that explains why. */
  readonly fallback?: Snippet<[ComponentFailure]> | undefined;
}

export interface SurfaceSlotProps extends FallbackProps {
  /** A surface outside the chat, whose components are blocks of messages. */
  readonly surface: Exclude<Surface, "chat">;
  /** Shown while the surface is empty. */
  readonly empty?: Snippet | undefined;
}

export interface ComponentViewProps extends FallbackProps {
  readonly block: ComponentBlock | InterruptBlock;
}
