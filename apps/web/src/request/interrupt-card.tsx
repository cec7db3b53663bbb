import type { InterruptBlock } from "@turnwire/protocol";
import { ComponentView } from "@turnwire/react";

/** A component that waits for a value; what it is stands in `surface/registry.tsx`. */
export function InterruptCard({ block }: { readonly block: InterruptBlock }) {
  return <ComponentView block={block} />;
}
