import { textFromContent } from "@turnwire/protocol";
import { useSend, useSession, useSessionSelector } from "@turnwire/react";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { usePane } from "../page/pane.ts";
import { attachmentsFromContent, contentFrom } from "./attachment.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { CompletionList, completionProps } from "./completion-list.tsx";
import { ComposerField } from "./composer-field.tsx";
import type { WaitingDelivery } from "./delivery-choice.tsx";
import { useMessageField, type TakenBack } from "./message-field.ts";
import { MessageFoot } from "./message-foot.tsx";
import { ownTexts } from "./message-history.ts";
import { pastedFiles } from "./pasted-file.ts";
import { commandsOf, reviewIn } from "./own-command.ts";
import { QueueList } from "./queue-list.tsx";
import { useAttachments } from "./use-attachments.ts";
import { useCompletion } from "./use-completion.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useMessageText } from "./use-message-text.ts";
import { useStop } from "./use-stop.ts";

/** The next message: its text, its files, and how it is delivered while a turn runs. */
export function MessageForm() {
  const listId = useId();
  const send = useSend();
  const { element: field, takeBack: taker } = useMessageField();
  const { onClose } = usePane();
  const session = useSession();
  const capabilities = useSessionSelector((view) => view.session.session.capabilities);
  const message = useMessageText({
    field,
    draftId: session.id,
    earlier: () => ownTexts(session.getState()),
  });
  const attachments = useAttachments(capabilities);
  const stop = useStop();
  const completion = useCompletion({
    ...message,
    onComplete: message.put,
    commands: commandsOf(capabilities),
    files: { session_id: session.id },
  });
  const [delivery, setDelivery] = useState<WaitingDelivery>("queue");
  const isOver = useFileDrop(attachments.add);
  const isEmpty = message.text.trim() === "" && attachments.list.length === 0;
  const submit = (): void => {
    if (isEmpty) return;
    const review = reviewIn(message.text, capabilities);
    const given = review ? { review } : stop.isRunning ? { delivery } : {};
    send(contentFrom(message.text, attachments.list), given);
    message.put("");
    attachments.replace([]);
  };
  const takeBack = ({ message_id, content }: TakenBack): void => {
    const words = textFromContent(content);
    const written = field.current?.value ?? "";
    message.put(written === "" ? words : `${words}\n${written}`);
    attachments.replace([...attachmentsFromContent(message_id, content), ...attachments.list]);
    field.current?.focus();
  };
  useEffect(() => {
    taker.current = takeBack;
  });
  const closePane = ({ key }: KeyboardEvent): boolean => {
    if (key !== "Escape" || message.text !== "" || !onClose) return false;
    onClose();
    return true;
  };
  return (
    <form
      className="writing"
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      data-over={isOver}
    >
      <CompletionList id={listId} completion={completion} />
      <QueueList onTooLate={takeBack} />
      <AttachmentList attachments={attachments.list} onRemove={attachments.remove} />
      <ComposerField
        ref={field}
        label="Message"
        placeholder={stop.isRunning ? "Queue a message…" : "Message… (/ commands, @ files)"}
        value={message.text}
        listProps={completionProps(listId, completion)}
        onChange={message.write}
        onCaret={message.moveCaret}
        onSubmit={submit}
        onKey={(event: KeyboardEvent) =>
          completion.onKey(event) || message.onKey(event) || stop.onKey(event) || closePane(event)
        }
        onPaste={(event) => {
          const files = pastedFiles(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          attachments.add(files);
        }}
      />
      <MessageFoot
        attachments={attachments}
        stop={stop}
        delivery={delivery}
        onDelivery={setDelivery}
        isEmpty={isEmpty}
        onSend={submit}
      />
    </form>
  );
}
