import { outputText, type SubagentBlock } from "@turnwire/protocol";
import type { ReactNode } from "react";
import { Icon } from "../../element/icon.tsx";
import { BlockFold } from "./block-fold.tsx";
import { counted, durationText } from "../../element/figure.ts";
import { DecisionNote } from "../policy/decision-note.tsx";
import { PolicyMark } from "../policy/policy-mark.tsx";
import style from "./subagent-block.module.css";

interface SubagentBlockViewProps {
  readonly block: SubagentBlock;
  /** The sub-agent's own blocks. */
  readonly children: ReactNode;
}

const statuses: Readonly<Record<SubagentBlock["status"], string>> = {
  running: "working",
  completed: "done",
  failed: "failed",
  abandoned: "stopped",
};

/** A sub-agent: one line, and its own blocks inside. */
export function SubagentBlockView({ block, children }: SubagentBlockViewProps) {
  const { key, name, status, output, blocks, policy } = block;
  const answer = blocks.length === 0 ? outputText(output) : "";
  return (
    <BlockFold
      id={key}
      isNested
      summary={
        <>
          <span className={style.icon} data-status={status}>
            <Icon name="agents" size={15} />
          </span>
          <span className={`rigid cut medium ink ${style.name}`}>{name}</span>
          <span className={`rigid ${style.status}`} data-status={status}>
            {statuses[status]}
          </span>
          <span className="cut tiny faint">{factsOf(block)}</span>
          {policy && <PolicyMark decision={policy} />}
        </>
      }
    >
      <div className="stack gap-3">
        {policy && <DecisionNote decision={policy} />}
        {children}
      </div>
      {answer !== "" && <p className={style.answer}>{answer}</p>}
    </BlockFold>
  );
}

function factsOf({ tool_calls, file_changes, started_at, completed_at }: SubagentBlock): string {
  const duration = completed_at && Date.parse(completed_at) - Date.parse(started_at);
  return [
    tool_calls > 0 && counted(tool_calls, "tool call"),
    file_changes > 0 && counted(file_changes, "file change"),
    duration && durationText(duration),
  ]
    .filter(Boolean)
    .join(" · ");
}
