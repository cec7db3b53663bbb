import type { InterruptBlock } from "@turnwire/protocol";
import { ComponentView, useRequest } from "@turnwire/react";
import { RequestCard } from "./request-card.tsx";

/** A component that waits for a value; what it is stands in `surface/registry.tsx`. */
export function InterruptCard({ block }: { readonly block: InterruptBlock }) {
  const { id, request, progress } = useRequest(block);
  const { surface, component_name: name } = request;
  const isHere = surface === "chat";
  return (
    <RequestCard
      id={id}
      title="The agent waits for you"
      progress={progress}
      expiresAt={request.expires_at}
      subject={name}
      isBare={isHere}
    >
      {isHere ? <ComponentView block={block} /> : <p>It is shown in the {surface}.</p>}
    </RequestCard>
  );
}
