import { memo, useMemo } from "react";
import { BlockRunView } from "./block-view.tsx";
import type { BlockRow, Row } from "./outline.ts";
import { TurnFooter } from "./turn-footer.tsx";
import { UserMessageView } from "./user-message.tsx";
import type { SessionView } from "@turnwire/client";
import type { Block } from "@turnwire/protocol";
import { useSessionSelector } from "@turnwire/react";

/** The content of one row; renders again only when that changes. */
export const RowView = memo(function RowView({ row }: { readonly row: Row }) {
  switch (row.type) {
    case "user":
      return <UserMessageView id={row.messageId} />;
    case "block":
    case "tools":
      return <BlockRowView row={row} />;
    case "footer":
      return <TurnFooter id={row.messageId} />;
  }
});

function BlockRowView({ row }: { readonly row: BlockRow }) {
  const { blocks, isStreaming } = useRowBlocks(row);
  return <BlockRunView blocks={blocks} isStreaming={isStreaming} />;
}

interface RowBlocks {
  readonly blocks: readonly Block[];
  /** The last of them may still grow. */
  readonly isStreaming: boolean;
}

/** The blocks of a row; renders again only when one of these changes. */
function useRowBlocks({ messageId, start, end }: BlockRow): RowBlocks {
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
