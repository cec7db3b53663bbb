import type { HookBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../element/button.tsx";
import { RequestCard } from "./request-card.tsx";

/** A hook of the agent waits for a decision. */
export function HookCard({ block }: { readonly block: HookBlock }) {
  const { request, progress, respond } = useRequest(block);
  return (
    <RequestCard
      title={`Hook: ${request.hook_event}`}
      progress={progress}
      actions={
        <>
          <Button look="strong" onClick={() => respond({ decision: { continue: true } })}>
            Go on
          </Button>
          <Button look="danger" onClick={() => respond({ decision: { continue: false } })}>
            Stop
          </Button>
        </>
      }
    >
      <pre>{JSON.stringify(request.hook_input, null, 2)}</pre>
    </RequestCard>
  );
}
