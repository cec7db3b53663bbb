import type { SessionView } from "@turnwire/client";
import {
  useConnection,
  useSending,
  useSessionSelector,
  useToolView,
  type SendingMessage,
} from "@turnwire/react";
import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent } from "react";
import { FoldMemoryContext } from "../block/fold-memory.ts";
import { usePane } from "../page/pane.ts";
import style from "./message-list.module.css";
import { useNewMark } from "./new-mark.ts";
import { createOutline, type Row } from "./outline.ts";
import { LeftView, OutgoingView } from "./outgoing-view.tsx";
import { useStickToEnd, type Stick } from "./stick-to-end.ts";
import { useUnsent } from "./use-unsent.ts";
import { VirtualRows } from "./virtual-rows.tsx";
import { Icon } from "../../element/icon.tsx";
import { textOf, type Message } from "@turnwire/protocol";

/** All messages. It follows the end while the person is there, and stays in place otherwise. */
export function MessageList() {
  const rows = useRows();
  const sending = useSending().filter(isOfConversation);
  const left = useUnsent();
  const { status } = useConnection();
  const { onClose } = usePane();
  const [folds] = useState(() => new Map<string, boolean>());
  const scroller = useRef<HTMLDivElement>(null);
  const { isAtEnd, goToEnd, leaveFor } = useStickToEnd(scroller);
  useFollowOwnMessages(goToEnd);
  const unseen = useUnseen(rows, isAtEnd);
  const newId = useNewMark(isAtEnd);
  const isLoaded = rows.length > 0 || status === "live";
  return (
    <div className={style.frame}>
      <div
        ref={scroller}
        className={style.scroll}
        role="log"
        aria-live="off"
        aria-label="Conversation"
        aria-busy={!isLoaded}
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== event.currentTarget) return;
          if (event.key === "Escape") onClose?.();
          else goToEdge(event, { goToEnd, leaveFor });
        }}
      >
        <div className={`measure ${style.column}`}>
          <FoldMemoryContext value={folds}>
            {rows.length > 0 && (
              <VirtualRows rows={rows} newId={newId} scroller={scroller} onLeaveFor={leaveFor} />
            )}
          </FoldMemoryContext>
          {left.map((message) => (
            <LeftView key={message.client_message_id} message={message} />
          ))}
          {sending.map((message) => (
            <OutgoingView key={message.client_message_id} message={message} />
          ))}
          {isLoaded && rows.length + left.length + sending.length === 0 && (
            <p className={style.empty}>No messages yet. Write the first one below.</p>
          )}
        </div>
      </div>
      {!isAtEnd && <EndButton unseen={unseen} onClick={() => goToEnd()} />}
      <Announcer />
    </div>
  );
}

/** Queued messages are shown above the message field, unless they failed. */
function isOfConversation({ status, delivery }: SendingMessage): boolean {
  return status === "failed" || delivery !== "queue";
}

/** Without smooth scrolling: rows that appear on the way would move the edge. */
function goToEdge(
  event: KeyboardEvent,
  { goToEnd, leaveFor }: Pick<Stick, "goToEnd" | "leaveFor">,
): void {
  if (event.key !== "Home" && event.key !== "End") return;
  event.preventDefault();
  if (event.key === "Home") leaveFor(0);
  else goToEnd("instant");
}

function useRows(): readonly Row[] {
  const viewOf = useToolView();
  const select = useMemo(() => {
    const outline = createOutline(viewOf);
    return ({ session }: SessionView): readonly Row[] => outline(session.messages);
  }, [viewOf]);
  return useSessionSelector(select);
}

/** Who sends a message wants to see it and its answer, wherever they were reading. */
function useFollowOwnMessages(goToEnd: Stick["goToEnd"]): void {
  const newest = useSessionSelector(newestOwnId);
  const known = useRef(newest);
  useLayoutEffect(() => {
    if (newest === known.current) return;
    known.current = newest;
    if (newest !== undefined) goToEnd("instant");
  }, [newest, goToEnd]);
}

/** The message that this page sent last, whatever became of it. */
function newestOwnId({ sending }: SessionView): string | undefined {
  return Object.keys(sending).at(-1);
}

/** How many rows of the agent came since the reader left the end; a person's own messages are not new to them. */
function useUnseen(rows: readonly Row[], isAtEnd: boolean): number {
  const count = useMemo(() => rows.filter(isOfAgent).length, [rows]);
  const [seen, setSeen] = useState(count);
  // Not in an effect: with many events at once, React would take it for an endless loop.
  if (isAtEnd && seen !== count) setSeen(count);
  return isAtEnd ? 0 : Math.max(0, count - seen);
}

function isOfAgent({ type }: Row): boolean {
  return type !== "footer" && type !== "user";
}

interface EndButtonProps {
  /** How many rows are new. */
  readonly unseen: number;
  readonly onClick: () => void;
}

/** Scrolls back to the newest message. */
function EndButton({ unseen, onClick }: EndButtonProps) {
  return (
    <button
      type="button"
      className={`inline-row gap-2 small numbers soft ${style.end}`}
      aria-label={
        unseen > 0 ? `Go to the newest message, ${unseen} new` : "Go to the newest message"
      }
      onClick={onClick}
    >
      <Icon name="arrow_down" size={16} />
      {unseen > 0 && <span>{unseen} new</span>}
    </button>
  );
}

const LONGEST = 600;

/** Reads out each answer once it is complete: a growing text would be noise. */
function Announcer() {
  const message = useSessionSelector(lastAnswer);
  const { status } = useConnection();
  const [known, setKnown] = useState<string | null>();
  if (known === undefined && status === "live") setKnown(message?.id ?? null);
  const isNew = known !== undefined && message !== undefined && message.id !== known;
  return (
    <div className={`visually-hidden ${style.announcer}`} aria-live="polite">
      {isNew && textOf(message).slice(0, LONGEST)}
    </div>
  );
}

function lastAnswer({ session }: SessionView): Message | undefined {
  const message = session.messages.at(-1);
  return message?.role === "agent" && message.done ? message : undefined;
}
