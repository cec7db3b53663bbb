import { useSession } from "@turnwire/react";
import {
  defaultRangeExtractor,
  useVirtualizer,
  type Range,
  type VirtualItem,
} from "@tanstack/react-virtual";
import { Fragment, useCallback, useLayoutEffect, type RefObject } from "react";
import { useCardList } from "../request/use-request-places.ts";
import { HoldRow, useHeldRows } from "./held-row.tsx";
import type { Row } from "./outline.ts";
import { requestRowIndex } from "./request-row.ts";
import { RowView } from "./row-view.tsx";
import style from "./virtual-rows.module.css";

interface VirtualRowsProps {
  readonly rows: readonly Row[];
  /** The message above which a line marks what is new. */
  readonly newId: string | undefined;
  readonly scroller: RefObject<HTMLElement | null>;
  /** Scrolls to a place away from the end. */
  readonly onLeaveFor: (top: number) => void;
}

/** Rows beyond what is in sight, above and below. */
const OVERSCAN = 8;

/** Scroll anchoring by the browser does not interrupt a smooth scroll. */
const browserHoldsStill = CSS.supports("overflow-anchor", "auto");

/**
 * The rows in sight, in the flow of the page: a growing row moves those below it at once. Rows out of
 * sight are empty space, except those in which something is open; what is being read stays in place when
 * their height is corrected.
 */
export function VirtualRows({ rows, newId, scroller, onLeaveFor }: VirtualRowsProps) {
  const session = useSession();
  const { indexes: held, hold } = useHeldRows(rows);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    getItemKey: useCallback((index: number) => rows[index]?.key ?? index, [rows]),
    estimateSize: (index) => rows[index]?.height ?? 0,
    overscan: OVERSCAN,
    rangeExtractor: useCallback(
      (range: Range) =>
        [...new Set([...defaultRangeExtractor(range), ...held])].toSorted((a, b) => a - b),
      [held],
    ),
    // A conversation is opened at its end.
    initialOffset: () => rows.reduce((sum, { height }) => sum + height, 0),
    initialRect: { width: 0, height: innerHeight },
  });
  if (browserHoldsStill) virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element) element.scrollTop = element.scrollHeight;
  }, [scroller]);
  const goToRow = (id: string): void => {
    const { messages } = session.getState().session;
    const index = requestRowIndex({ rows, messages }, id);
    const place = index === undefined ? undefined : virtualizer.getOffsetForIndex(index, "center");
    if (place) onLeaveFor(place[0]);
  };
  useCardList(scroller, { goToRow, leaveFor: onLeaveFor });
  const items = virtualizer.getVirtualItems();
  const startOf = (index: number): number => virtualizer.measurementsCache[index]?.start ?? 0;
  const below = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0);
  return (
    <>
      {messagesOf({ items, rows, startOf }).map(({ messageId, isUser, room: above, shown }) => (
        <Fragment key={messageId}>
          {above > 0 && <Room height={above} />}
          <article aria-label={isUser ? "You" : "Agent"}>
            {shown.map(({ row, index, room }) => (
              <Fragment key={row.key}>
                {room > 0 && <Room height={room} />}
                <div
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={style.row}
                  data-gap={row.gap}
                >
                  {row.messageId === newId && rows[index - 1]?.messageId !== newId && <NewLine />}
                  <HoldRow rowKey={row.key} hold={hold}>
                    <RowView row={row} />
                  </HoldRow>
                </div>
              </Fragment>
            ))}
          </article>
        </Fragment>
      ))}
      <Room height={below} />
    </>
  );
}

/** The space of rows that are not mounted. */
function Room({ height }: { readonly height: number }) {
  return <div className={style.room} style={{ height }} />;
}

const NEWS = "New since you were away";

/**
 * Stands in the space above its row, so that nothing moves when it comes or goes. The stylesheet writes
 * its text, so that it is not copied with the conversation.
 */
function NewLine() {
  return (
    <div role="separator" aria-label={NEWS} className={`row gap-2 tiny ${style.news}`}>
      <span data-words={NEWS} />
    </div>
  );
}

interface ShownMessage {
  readonly messageId: string;
  readonly isUser: boolean;
  /** The height of what is not mounted above it. */
  readonly room: number;
  readonly shown: ShownRow[];
}

interface ShownRow {
  readonly row: Row;
  readonly index: number;
  /** The height of what is not mounted above it in the same message. */
  readonly room: number;
}

interface MountedRows {
  readonly items: readonly VirtualItem[];
  readonly rows: readonly Row[];
  readonly startOf: (index: number) => number;
}

/**
 * The mounted rows, those of the same message in one article, however far apart they are. An article
 * begins where its message does: where no row is in sight, the browser holds the article still.
 */
function messagesOf({ items, rows, startOf }: MountedRows): readonly ShownMessage[] {
  const messages: ShownMessage[] = [];
  let end = 0;
  for (const item of items) {
    const { index, start } = item;
    const row = rows[index];
    if (!row) continue;
    const { messageId } = row;
    const last = messages.at(-1);
    if (last?.messageId === messageId) last.shown.push({ row, index, room: start - end });
    else {
      const top = startOf(firstOf(messageId, { rows, index }));
      const shown = [{ row, index, room: start - top }];
      messages.push({ messageId, isUser: row.type === "user", room: top - end, shown });
    }
    ({ end } = item);
  }
  return messages;
}

/** The first row of the message that the row at an index belongs to. */
function firstOf(
  messageId: string,
  { rows, index }: { readonly rows: readonly Row[]; readonly index: number },
): number {
  let first = index;
  while (rows[first - 1]?.messageId === messageId) first -= 1;
  return first;
}
