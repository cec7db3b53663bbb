import type { PermissionBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../element/button.tsx";
import style from "./permission-card.module.css";
import { RequestCard } from "./request-card.tsx";

/** May the agent use this tool, with exactly this input? */
export function PermissionCard({ block }: { readonly block: PermissionBlock }) {
  const { request, progress, respond } = useRequest(block);
  const { resolution } = block;
  return (
    <RequestCard
      title={`Allow ${request.tool_name}?`}
      progress={progress}
      actions={
        <>
          <Button look="strong" onClick={() => respond({ behavior: "allow" })}>
            Allow
          </Button>
          <Button look="danger" onClick={() => respond({ behavior: "deny" })}>
            Deny
          </Button>
        </>
      }
      {...(resolution?.outcome === "answered" && {
        ending: resolution.allowed ? "Allowed" : "Denied",
      })}
    >
      <pre className={style.input}>{JSON.stringify(request.tool_input, null, 2)}</pre>
    </RequestCard>
  );
}
