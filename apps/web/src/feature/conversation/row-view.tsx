import { memo } from "react";
import { BlockRunView } from "./block-view.tsx";
import type { BlockRow, Row } from "./outline.ts";
import { useRowBlocks } from "./row-block.ts";
import { TurnFooter } from "./turn-footer.tsx";
import { UserMessageView } from "./user-message.tsx";

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
