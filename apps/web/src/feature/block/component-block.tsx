import type { ComponentBlock } from "@turnwire/protocol";
import { ComponentView } from "@turnwire/react";

/** A component that the agent put into the chat; what it is stands in `surface/registry.tsx`. */
export function ComponentBlockView({ block }: { readonly block: ComponentBlock }) {
  return <ComponentView block={block} />;
}
