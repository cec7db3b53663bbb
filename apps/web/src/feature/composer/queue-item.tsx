import { useEffect, useRef } from "react";
import { Button } from "../../element/button.tsx";
import { IconButton } from "../../element/icon-button.tsx";
import style from "./queue-list.module.css";

interface QueueItemProps {
  /** Its place in the queue, from 1 on. */
  readonly position: number;
  readonly text: string;
  /** The queue is being changed. */
  readonly isBusy: boolean;
  /** The text so far while it is edited. */
  readonly edited?: string;
  /** What is edited: its text without its attachments. */
  readonly editableText: string;
  /** Missing where it cannot be edited: the action of a person in a component is not text. */
  readonly onEdit?: (text: string) => void;
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
  /** Missing for the first one. */
  readonly onMoveUp?: () => void;
  /** Missing where no turn can be joined. */
  readonly onSendNow?: () => void;
  readonly onRemove: () => void;
}

/** One message that waits for its turn. */
export function QueueItem(props: QueueItemProps) {
  const { position, text, isBusy, edited, editableText, onEdit, onMoveUp, onSendNow, onRemove } =
    props;
  return (
    <li>
      <span className={`numbers faint ${style.mark}`}>{position}</span>
      {edited === undefined ? (
        <>
          <span className={`shrink cut ${style.text}`} dir="auto">
            {text}
          </span>
          <span className={`row gap-1 rigid ${style.actions}`}>
            {onSendNow && (
              <Button
                className={style.now}
                aria-label={`Send now: "${text}"`}
                disabled={isBusy}
                onClick={onSendNow}
              >
                Send now
              </Button>
            )}
            {onMoveUp && (
              <IconButton
                icon="arrow_up"
                label={`Move "${text}" up`}
                disabled={isBusy}
                onClick={onMoveUp}
              />
            )}
            {onEdit && (
              <IconButton
                icon="pencil"
                label={`Edit "${text}"`}
                disabled={isBusy}
                onClick={() => onEdit(editableText)}
              />
            )}
            <IconButton
              icon="close"
              label={`Remove "${text}"`}
              disabled={isBusy}
              onClick={onRemove}
            />
          </span>
        </>
      ) : (
        <QueueEditor {...props} edited={edited} />
      )}
    </li>
  );
}

function QueueEditor(props: QueueItemProps & { readonly edited: string }) {
  const { position, edited, onEdit, onSave, onCancel } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const element = field.current;
    element?.focus();
    element?.setSelectionRange(element.value.length, element.value.length);
  }, []);
  return (
    <>
      <textarea
        ref={field}
        className={style.field}
        aria-label={`Queued message ${position}`}
        dir="auto"
        rows={1}
        value={edited}
        onChange={(event) => onEdit?.(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "Enter" && !event.shiftKey) onSave(edited);
          else if (event.key === "Escape") onCancel();
          else return;
          event.preventDefault();
        }}
      />
      <span className={`row gap-1 rigid ${style.actions}`}>
        <Button look="strong" disabled={edited.trim() === ""} onClick={() => onSave(edited)}>
          Save
        </Button>
        <Button onClick={onCancel}>Cancel</Button>
      </span>
    </>
  );
}
