import { detach } from "@turnwire/base";
import { textFromContent, type ContentBlock, type QueuedMessage } from "@turnwire/protocol";
import { useSending, useSession, useSessionSelector } from "@turnwire/react";
import { IconButton } from "../../element/icon-button.tsx";
import { showError } from "../../element/toast.ts";
import style from "./queue-list.module.css";

interface QueueListProps {
  /** Receives a withdrawn message for editing. */
  readonly onEdit: (message: QueuedMessage) => void;
}

/** Queued messages: each can be edited or removed. */
export function QueueList({ onEdit }: QueueListProps) {
  const session = useSession();
  const queue = useSessionSelector((view) => view.session.queue);
  const leaving = useSending().filter(
    ({ status, delivery }) => status === "pending" && delivery === "queue",
  );
  const edit = async (message: QueuedMessage): Promise<void> => {
    // With its stored attachments: it will be sent again.
    const whole = await session.restore(message);
    await session.withdraw(message.message_id);
    onEdit(whole);
  };
  const waiting = queue.filter(({ delivery }) => delivery === "queue");
  if (waiting.length + leaving.length === 0) return null;
  return (
    <ul className={style.queue} aria-label="Waiting messages">
      {waiting.map((message) => {
        const text = queuedText(message.content);
        return (
          <li key={message.message_id}>
            <span className={style.mark}>Next</span>
            <span className={style.text}>{text}</span>
            <IconButton
              icon="pencil"
              label={`Edit "${text}"`}
              onClick={() => detach(edit(message), showError)}
            />
            <IconButton
              icon="close"
              label={`Remove "${text}"`}
              onClick={() => detach(session.withdraw(message.message_id), showError)}
            />
          </li>
        );
      })}
      {leaving.map(({ client_message_id: id, content }) => (
        <li key={id} className={style.leaving}>
          <span className={style.mark}>Next</span>
          <span className={style.text}>{queuedText(content)}</span>
        </li>
      ))}
    </ul>
  );
}

function queuedText(content: string | readonly ContentBlock[]): string {
  if (typeof content === "string") return content;
  const files = content.filter(({ type }) => type !== "text").length;
  const words = textFromContent(content).trim();
  if (files === 0) return words;
  return `${words} (${files === 1 ? "1 file" : `${files} files`})`.trim();
}
