import type { Block } from "@turnwire/protocol";
import { ComponentView, useToolView } from "@turnwire/react";
import { memo, useMemo, useState } from "react";
import { Button } from "../../element/button.tsx";
import { BudgetCard } from "../request/budget-card.tsx";
import { HookCard } from "../request/hook-card.tsx";
import { InterruptCard } from "../request/interrupt-card.tsx";
import { PermissionCard } from "../request/permission-card.tsx";
import { PermissionOutcome } from "../request/permission-outcome.tsx";
import { QuestionCard } from "../request/question-card.tsx";
import { ToolCallCard } from "../request/tool-call-card.tsx";
import { blockRuns } from "./block-run.ts";
import { RetryButton } from "./retry-button.tsx";
import { DiffBlockView } from "../block/diff-view.tsx";
import { ErrorBlockView } from "../block/error-block.tsx";
import { NoticeBlockView } from "../block/notice-block.tsx";
import { PlanBlockView } from "../block/plan-block.tsx";
import { SubagentBlockView } from "../block/subagent-block.tsx";
import { TextBlockView } from "../block/text-block.tsx";
import { ThinkingBlockView } from "../block/thinking-block.tsx";
import { ToolRun } from "../block/tool-run.tsx";

interface BlockListProps {
  readonly blocks: readonly Block[];
  /** The last block may still grow. */
  readonly isStreaming: boolean;
}

/** The beginning of a longer list is shown on demand. */
const SHOWN_RUNS = 40;

/** The blocks of a sub-agent in the order they happened. */
function BlockList({ blocks, isStreaming }: BlockListProps) {
  const [isWhole, setWhole] = useState(false);
  const viewOf = useToolView();
  const runs = useMemo(() => blockRuns(blocks, viewOf), [blocks, viewOf]);
  const shown = isWhole ? runs : runs.slice(-SHOWN_RUNS);
  return (
    <>
      {shown.length < runs.length && (
        <Button onClick={() => setWhole(true)}>Show earlier blocks</Button>
      )}
      {shown.map((run) => (
        <BlockRunView
          key={run.key}
          blocks={blocks.slice(run.start, run.end)}
          isStreaming={isStreaming && run.end === blocks.length}
        />
      ))}
    </>
  );
}

/** One row of a message: a block, or consecutive tool calls. */
export function BlockRunView({ blocks, isStreaming }: BlockListProps) {
  const viewOf = useToolView();
  const typeOf = (one: Block) => one.type === "tool" && viewOf(one, blocks).type;
  const shown = blocks.filter((one) => typeOf(one) !== "nothing");
  const [block] = shown;
  if (!block) return null;
  if (typeOf(block) === "tool") {
    const run = shown.filter((one) => one.type === "tool" || one.type === "permission");
    return <ToolRun blocks={run} Outcome={PermissionOutcome} />;
  }
  return <BlockView block={block} isStreaming={isStreaming} />;
}

interface BlockViewProps {
  readonly block: Block;
  /** More of this block may still come. */
  readonly isStreaming: boolean;
}

/** One block of an agent's message; a block that did not change is not rendered again. */
const BlockView = memo(function BlockView({ block, isStreaming }: BlockViewProps) {
  switch (block.type) {
    case "text":
      return <TextBlockView block={block} isStreaming={isStreaming} />;
    case "thinking":
      return <ThinkingBlockView block={block} />;
    case "tool":
      return (
        <ComponentView block={block}>
          <ToolRun blocks={[block]} />
        </ComponentView>
      );
    case "permission":
      return <PermissionCard block={block} />;
    case "question":
      return <QuestionCard block={block} />;
    case "hook":
      return <HookCard block={block} />;
    case "interrupt":
      return <InterruptCard block={block} />;
    case "tool_call":
      return <ToolCallCard block={block} />;
    case "budget":
      return <BudgetCard block={block} />;
    case "component":
      return <ComponentView block={block} />;
    case "subagent":
      return (
        <SubagentBlockView block={block}>
          <BlockList blocks={block.blocks} isStreaming={block.status === "running"} />
        </SubagentBlockView>
      );
    case "plan":
      return <PlanBlockView block={block} />;
    case "diff":
      return <DiffBlockView block={block} />;
    case "notice":
      return <NoticeBlockView block={block} />;
    case "error":
      return (
        <ErrorBlockView block={block}>
          <RetryButton errorKey={block.key} />
        </ErrorBlockView>
      );
  }
});
