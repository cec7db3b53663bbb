import type { Block } from "@turnwire/protocol";
import { memo } from "react";
import { HookCard } from "../request/hook-card.tsx";
import { InterruptCard } from "../request/interrupt-card.tsx";
import { PermissionCard } from "../request/permission-card.tsx";
import { QuestionCard } from "../request/question-card.tsx";
import { ToolCallCard } from "../request/tool-call-card.tsx";
import style from "./block-view.module.css";
import { ComponentBlockView } from "./component-block.tsx";
import { DiffBlockView } from "./diff-block.tsx";
import { ErrorBlockView } from "./error-block.tsx";
import { NoticeBlockView } from "./notice-block.tsx";
import { PlanBlockView } from "./plan-block.tsx";
import { SubagentBlockView } from "./subagent-block.tsx";
import { TextBlockView } from "./text-block.tsx";
import { ThinkingBlockView } from "./thinking-block.tsx";
import { ToolBlockView } from "./tool-block.tsx";

interface BlockListProps {
  readonly blocks: readonly Block[];
  /** The last block may still grow. */
  readonly isStreaming: boolean;
}

/** Blocks in the order they happened, of a message or of a sub-agent. */
export function BlockList({ blocks, isStreaming }: BlockListProps) {
  return (
    <div className={style.list}>
      {blocks.map((block, index) => (
        <BlockView
          key={block.key}
          block={block}
          isStreaming={isStreaming && index === blocks.length - 1}
        />
      ))}
    </div>
  );
}

export interface BlockViewProps {
  readonly block: Block;
  /** More of this block may still come. */
  readonly isStreaming: boolean;
}

/** One block of an agent's message; a block that did not change is not rendered again. */
export const BlockView = memo(function BlockView({ block, isStreaming }: BlockViewProps) {
  switch (block.type) {
    case "text":
      return <TextBlockView block={block} isStreaming={isStreaming} />;
    case "thinking":
      return <ThinkingBlockView block={block} />;
    case "tool":
      return <ToolBlockView block={block} />;
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
    case "component":
      return <ComponentBlockView block={block} />;
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
      return <ErrorBlockView block={block} />;
  }
});
