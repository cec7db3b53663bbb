import type { SessionView } from "@turnwire/client";
import type { Block } from "@turnwire/protocol";
import { useSessionSelector } from "@turnwire/react";
import { useMemo } from "react";
import type { BlockRow } from "./outline.ts";

interface RowBlocks {
  readonly blocks: readonly Block[];
  /** The last of them may still grow. */
  readonly isStreaming: boolean;
}

/** The blocks of a row; renders again only when one of these changes. */
export function useRowBlocks({ messageId, start, end }: BlockRow): RowBlocks {
  const select = useMemo(() => rowSelector(messageId, start, end), [messageId, start, end]);
  return useSessionSelector(select, isSame);
}

const nothing: RowBlocks = { blocks: [], isStreaming: false };

function rowSelector(messageId: string, start: number, end: number) {
  let place = -1;
  return ({ session: { messages } }: SessionView): RowBlocks => {
    if (messages[place]?.id !== messageId) {
      place = messages.findLastIndex((message) => message.id === messageId);
    }
    const message = messages[place];
    if (message?.role !== "agent") return nothing;
    return {
      blocks: message.blocks.slice(start, end),
      isStreaming: !message.done && end === message.blocks.length,
    };
  };
}

function isSame(left: RowBlocks, right: RowBlocks): boolean {
  return (
    left.isStreaming === right.isStreaming &&
    left.blocks.length === right.blocks.length &&
    left.blocks.every((block, index) => block === right.blocks[index])
  );
}
