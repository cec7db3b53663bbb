import type { InterruptBlock } from "@turnwire/protocol";
import { ComponentView, useRequest } from "@turnwire/react";
import { Button } from "../../element/button.tsx";
import { useShowSurface } from "../surface/surfaces.ts";
import { RequestCard } from "./request-card.tsx";

/** What the components of this app are called. */
const openLabels: Readonly<Record<string, string>> = {
  form: "Open the form",
  plan_editor: "Open the plan",
};

/** A component that waits for a value; `surface/registry.tsx` names the components. */
export function InterruptCard({ block }: { readonly block: InterruptBlock }) {
  const { id, request, progress } = useRequest(block);
  const showSurface = useShowSurface();
  const { surface, component_name: name } = request;
  return (
    <RequestCard
      id={id}
      title="The agent needs an answer"
      progress={progress}
      expiresAt={request.expires_at}
      subject={name}
      isBare={surface === "chat"}
      {...(surface !== "chat" && { onReached: () => showSurface(surface) })}
    >
      {surface === "chat" ? (
        <ComponentView block={block} />
      ) : (
        <p className="row gap-3 soft">
          {progress.outcome === undefined && (
            <Button onClick={() => showSurface(surface)}>{openLabels[name] ?? "Open it"}</Button>
          )}
          Shown {surface === "overlay" ? "over" : "beside"} the conversation
        </p>
      )}
    </RequestCard>
  );
}
