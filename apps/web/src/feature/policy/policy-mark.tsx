import type { ToolPolicy } from "@turnwire/protocol";
import { Icon } from "../../element/icon.tsx";
import { decisionTitle } from "./decision-words.ts";
import style from "./policy-mark.module.css";

/** The policy's decision in the row of a tool: a mark, and words where the call was refused. */
export function PolicyMark({ decision }: { readonly decision: ToolPolicy }) {
  const title = decisionTitle(decision);
  return (
    <span
      className={`inline-row gap-1 rigid tiny faint ${style.mark}`}
      data-verdict={decision.verdict}
      title={`${title}: ${decision.reason}`}
    >
      <Icon name="shield" size={13} />
      <span className={decision.verdict === "deny" ? undefined : "visually-hidden"}>{title}</span>
    </span>
  );
}
