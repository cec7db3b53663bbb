import { interruptLink, placedFrom, placedInterrupt } from "@turnwire/client/binding";
import type { ComponentBlock, InterruptBlock, ToolBlock } from "@turnwire/protocol";
import { memo, useMemo, type ReactNode } from "react";
import { PlacedComponent } from "./placed-component.tsx";
import { useRequest } from "./request.ts";
import { useToolView } from "./tool-view.ts";

export interface ComponentViewProps {
  readonly block: ComponentBlock | InterruptBlock | ToolBlock;
  /** How a tool use is shown that no component represents. */
  readonly children?: ReactNode;
}

/**
 * A component in the chat. An interrupt on another surface shows nothing here: it is there. A tool use is shown by the
 * component that the catalog has for it, or by `children`; one that only serves a component shows nothing.
 */
export const ComponentView = memo(function ComponentView({
  block,
  children,
}: ComponentViewProps): ReactNode {
  switch (block.type) {
    case "component":
      return <ComponentInChat block={block} />;
    case "interrupt":
      return block.request.surface === "chat" ? <InterruptInChat block={block} /> : null;
    case "tool":
      return <ToolInChat block={block}>{children}</ToolInChat>;
  }
});

function ComponentInChat({ block }: { readonly block: ComponentBlock }): ReactNode {
  const placed = useMemo(() => placedFrom(block, "chat"), [block]);
  return <PlacedComponent placed={placed} />;
}

function InterruptInChat({ block }: { readonly block: InterruptBlock }): ReactNode {
  const request = useRequest(block);
  const value = block.resolution?.value;
  const placed = useMemo(() => placedInterrupt(block), [block]);
  const interrupt = useMemo(() => interruptLink(request, value), [request, value]);
  return <PlacedComponent placed={placed} interrupt={interrupt} />;
}

interface ToolInChatProps {
  readonly block: ToolBlock;
  readonly children: ReactNode;
}

function ToolInChat({ block, children }: ToolInChatProps): ReactNode {
  const viewOf = useToolView();
  const view = useMemo(() => viewOf(block), [viewOf, block]);
  if (view.type === "nothing") return null;
  if (view.type === "tool") return children;
  return <PlacedComponent placed={view.placed}>{children}</PlacedComponent>;
}
