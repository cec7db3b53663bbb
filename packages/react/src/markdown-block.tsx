import {
  directionOf,
  type MarkdownBlock,
  type MarkdownInline,
  type MarkdownList,
  type MarkdownListItem,
  type MarkdownTable,
  type MarkdownTableRow,
} from "@turnwire/markdown";
import { memo, type ReactElement } from "react";
import { MarkdownCode } from "./markdown-code.tsx";
import { MarkdownInlines } from "./markdown-inline.tsx";

interface BlocksProps {
  readonly blocks: readonly MarkdownBlock[];
  /** In a tight list paragraphs have no element of their own. */
  readonly isTight?: boolean;
}

/** Blocks in their order: only the last ones ever change, so that a place is a good key. */
export function MarkdownBlocks({ blocks, isTight = false }: BlocksProps): ReactElement {
  return (
    <>
      {blocks.map((block, index) => (
        <BlockView key={index} block={block} isTight={isTight} />
      ))}
    </>
  );
}

interface BlockViewProps {
  readonly block: MarkdownBlock;
  readonly isTight: boolean;
}

/** Renders again only when its block is another object. */
const BlockView = memo(function BlockView({ block, isTight }: BlockViewProps): ReactElement {
  switch (block.type) {
    case "paragraph":
      return isTight ? (
        <MarkdownInlines nodes={block.children} />
      ) : (
        <p className="tw-md-paragraph" dir={ownDirection(block)}>
          <MarkdownInlines nodes={block.children} />
        </p>
      );
    case "heading": {
      const Heading = headings[block.level - 1] ?? "h6";
      return (
        <Heading className="tw-md-heading" dir={ownDirection(block)}>
          <MarkdownInlines nodes={block.children} />
        </Heading>
      );
    }
    case "code_block":
      return <MarkdownCode block={block} />;
    case "quote":
      return (
        <blockquote className="tw-md-quote" dir={directionOf(block)}>
          <MarkdownBlocks blocks={block.children} />
        </blockquote>
      );
    case "list":
      return <ListView list={block} />;
    case "table":
      return <TableView table={block} />;
    case "rule":
      return <hr className="tw-md-rule" />;
  }
});

/** Text without a letter runs as what is around it does. */
function ownDirection(
  text: MarkdownBlock | MarkdownListItem | readonly MarkdownInline[],
): "auto" | undefined {
  return directionOf(text) && "auto";
}

const headings = ["h1", "h2", "h3", "h4", "h5", "h6"] as const;

function ListView({ list }: { readonly list: MarkdownList }): ReactElement {
  const items = list.items.map((item, index) => (
    <ItemView key={index} item={item} isTight={list.isTight} />
  ));
  const shared = { className: "tw-md-list", dir: directionOf(list) };
  if (list.start === undefined) return <ul {...shared}>{items}</ul>;
  return (
    <ol {...shared} start={list.start}>
      {items}
    </ol>
  );
}

interface ItemViewProps {
  readonly item: MarkdownListItem;
  readonly isTight: boolean;
}

const ItemView = memo(function ItemView({ item, isTight }: ItemViewProps): ReactElement {
  const content = <MarkdownBlocks blocks={item.children} isTight={isTight} />;
  const dir = ownDirection(item);
  if (item.isChecked === undefined) {
    return (
      <li className="tw-md-item" dir={dir}>
        {content}
      </li>
    );
  }
  return (
    <li className="tw-md-item tw-md-task" dir={dir}>
      <input
        type="checkbox"
        aria-label={item.isChecked ? "Done" : "To do"}
        checked={item.isChecked}
        disabled
        readOnly
      />{" "}
      {content}
    </li>
  );
});

/** A wide table scrolls in itself, also by keyboard. */
function TableView({ table }: { readonly table: MarkdownTable }): ReactElement {
  return (
    <div className="tw-md-table-scroll" role="region" aria-label="Table" tabIndex={0}>
      <table className="tw-md-table" dir={directionOf(table)}>
        <thead>
          <RowView row={table.header} alignments={table.alignments} isHeader />
        </thead>
        <tbody>
          {table.rows.map((row, index) => (
            <RowView key={index} row={row} alignments={table.alignments} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface RowViewProps {
  readonly row: MarkdownTableRow;
  readonly alignments: MarkdownTable["alignments"];
  readonly isHeader?: boolean;
}

const RowView = memo(function RowView({ row, alignments, isHeader }: RowViewProps): ReactElement {
  return (
    <tr>
      {alignments.map((alignment, index) => {
        const cell = row.cells[index] ?? [];
        const shared = {
          className: alignment && `tw-md-align-${alignment}`,
          dir: ownDirection(cell),
        };
        const content = <MarkdownInlines nodes={cell} />;
        return isHeader === true ? (
          <th key={index} scope="col" {...shared}>
            {content}
          </th>
        ) : (
          <td key={index} {...shared}>
            {content}
          </td>
        );
      })}
    </tr>
  );
});
