import { detach } from "@turnwire/base";
import type { SessionView } from "@turnwire/client";
import { textFromContent, type ContentBlock, type QueuedMessage } from "@turnwire/protocol";
import { useSending, useSession, useSessionSelector, useTurn } from "@turnwire/react";
import { useEffect, useMemo, useRef, useState } from "react";
import { showError, showToast } from "../../element/toast.ts";
import { callbackWords } from "../block/callback-words.ts";
import type { TakenBack } from "./message-field.ts";
import { QueueItem } from "./queue-item.tsx";
import style from "./queue-list.module.css";
import { moveUp, rewrite, sendNow, type ChangeOutcome, type QueuePort } from "./queue-order.ts";

interface QueueListProps {
  /** Receives a changed text that came too late for its message. */
  readonly onTooLate: (message: TakenBack) => void;
}

interface Editing {
  readonly id: string;
  readonly text: string;
  readonly original: string;
}

/** Queued messages in their order: each can be edited in place, moved up, sent now or removed. */
export function QueueList({ onTooLate }: QueueListProps) {
  const session = useSession();
  const reached = useRef(0);
  const port = useQueuePort(reached);
  const { isRunning } = useTurn();
  const canSteer = useSessionSelector((view) => view.session.session.capabilities.steer);
  const queue = useSessionSelector((view) => view.session.queue);
  const leaving = useSending().filter(
    ({ status, delivery }) => status === "pending" && delivery === "queue",
  );
  const [editing, setEditing] = useState<Editing>();
  // While a change is under way, copies and originals are in the queue: the planned order is shown.
  const [planned, setPlanned] = useState<readonly QueuedMessage[]>();
  const actual = queue.filter(({ delivery }) => delivery === "queue");
  const waiting = planned ?? actual;
  const isGone = editing !== undefined && !planned && !actual.some(isMessage(editing.id));
  const giveBack = (message_id: string, text: string): void => {
    onTooLate({ message_id, content: [{ type: "text", text }] });
    showToast("This message was already sent. Your changes are in the message field.");
  };
  useEffect(() => {
    if (!isGone || !editing) return;
    setEditing(undefined);
    if (editing.text !== editing.original) giveBack(editing.id, editing.text);
  });
  const change = async (
    next: readonly QueuedMessage[],
    run: () => Promise<ChangeOutcome>,
  ): Promise<ChangeOutcome> => {
    setPlanned(next);
    try {
      return await run();
    } finally {
      // The queue on the page follows the log.
      const isReached = (view: SessionView): boolean => view.session.seq >= reached.current;
      const clear = (): void => setPlanned(undefined);
      detach(session.waitFor(isReached).then(clear), clear);
    }
  };
  const save = async (index: number, text: string): Promise<void> => {
    const message = actual[index];
    setEditing(undefined);
    if (!message || text.trim() === textFromContent(message.content).trim()) return;
    const next = actual.with(index, { ...message, content: withText(message.content, text) });
    const outcome = await change(next, () => rewrite(port, actual, { index, text }));
    if (outcome === "too_late") giveBack(message.message_id, text);
  };
  const move = async (index: number): Promise<void> => {
    const [message, before] = [actual[index], actual[index - 1]];
    if (!message || !before) return;
    const next = actual.with(index - 1, message).with(index, before);
    await change(next, () => moveUp(port, actual, index));
  };
  if (waiting.length + leaving.length === 0) return null;
  return (
    <ol className={style.queue} aria-label="Queued messages">
      {waiting.map((message, index) => (
        <QueueItem
          key={message.message_id}
          position={index + 1}
          text={message.callback ? callbackWords(message.callback) : queuedText(message.content)}
          isBusy={planned !== undefined}
          {...(editing?.id === message.message_id && { edited: editing.text })}
          editableText={textFromContent(message.content)}
          {...(canResend(waiting.slice(index)) && {
            onEdit: (text: string) => {
              const original = textFromContent(message.content);
              setEditing({ id: message.message_id, text, original });
            },
          })}
          onSave={(text) => detach(save(index, text), showError)}
          onCancel={() => setEditing(undefined)}
          {...(index > 0 &&
            canResend(waiting.slice(index - 1)) && {
              onMoveUp: () => detach(move(index), showError),
            })}
          {...(isRunning &&
            canSteer &&
            !message.callback && { onSendNow: () => detach(sendNow(port, message), showError) })}
          onRemove={() => detach(session.withdraw(message.message_id), showError)}
        />
      ))}
      {!planned &&
        leaving.map(({ client_message_id: id, content }, index) => (
          <li key={id} className={style.leaving}>
            <span className={`numbers faint ${style.mark}`}>{waiting.length + index + 1}</span>
            <span className={`shrink cut ${style.text}`} dir="auto">
              {queuedText(content)}
            </span>
          </li>
        ))}
    </ol>
  );
}

/** Messages are changed by sending them again: what was done in a component would become mere text. */
function canResend(messages: readonly QueuedMessage[]): boolean {
  return messages.every(({ callback }) => callback === undefined);
}

function isMessage(id: string): (message: QueuedMessage) => boolean {
  return ({ message_id }) => message_id === id;
}

/** Notes how far the log has come with each withdrawal. */
function useQueuePort(reached: { current: number }): QueuePort {
  const session = useSession();
  return useMemo(
    () => ({
      createId: () => session.platform.createId(),
      send: (content, options) => session.send(content, options),
      withdraw: async (id) => {
        reached.current = (await session.withdraw(id)).seq;
      },
      discard: (id) => session.discard(id),
      restore: (message) => session.restore(message),
    }),
    [session, reached],
  );
}

function withText(content: readonly ContentBlock[], text: string): ContentBlock[] {
  return [...content.filter(({ type }) => type !== "text"), { type: "text", text }];
}

function queuedText(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  const files = content.filter(({ type }) => type !== "text").length;
  const words = textFromContent(content).trim();
  if (files === 0) return words;
  return `${words} (${files === 1 ? "1 file" : `${files} files`})`.trim();
}
