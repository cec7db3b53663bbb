import { defined } from "@turnwire/base";
import type { ComponentBlock, InterruptBlock } from "@turnwire/protocol";
import { memo, type ReactNode } from "react";
import { InterruptView } from "./interrupt-view.tsx";
import { PlacedComponent } from "./placed-component.tsx";
import { useRequest } from "./request.ts";

export interface ComponentViewProps {
  readonly block: ComponentBlock | InterruptBlock;
}

/** A component in the chat. An interrupt on another surface shows nothing here: it is there. */
export const ComponentView = memo(function ComponentView({ block }: ComponentViewProps): ReactNode {
  if (block.type === "interrupt") {
    return block.request.surface === "chat" ? <InterruptInChat block={block} /> : null;
  }
  const { component_id, name, props } = block;
  return <PlacedComponent component_id={component_id} name={name} surface="chat" props={props} />;
});

function InterruptInChat({ block }: { readonly block: InterruptBlock }): ReactNode {
  const value = block.resolution?.value;
  return <InterruptView request={useRequest(block)} {...defined({ value })} />;
}
