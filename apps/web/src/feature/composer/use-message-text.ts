import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { loadDraft, saveDraft } from "./draft.ts";
import { historyStep } from "./message-history.ts";

interface MessageTextOptions {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  /** Under which the draft is kept. */
  readonly draftId: string;
  /** The messages that the arrow keys recall, oldest first. */
  readonly earlier: () => readonly string[];
}

export interface MessageText {
  readonly text: string;
  readonly caret: number;
  /** What a person types. */
  readonly write: (text: string, caret: number) => void;
  /** Puts a text into the field, with the caret at its end by default. */
  readonly put: (text: string, caret?: number) => void;
  readonly moveCaret: (caret: number) => void;
  /** It was recalled and not touched since: arrow keys go on recalling, and nothing is offered for it. */
  readonly isRecalled: boolean;
  /** Arrow keys recall earlier messages; true if the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** The text of the next message: kept as a draft, also across reloads. */
export function useMessageText(options: MessageTextOptions): MessageText {
  const { field, draftId, earlier } = options;
  const [text, setText] = useState(() => loadDraft(draftId));
  const [caret, setCaret] = useState(text.length);
  const wanted = useRef<number>(undefined);
  const place = useRef<number>(undefined);
  const [isRecalled, setRecalled] = useState(false);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    field.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  });
  const write = (next: string, at: number): void => {
    setText(next);
    setCaret(at);
    setRecalled(false);
    saveDraft({ id: draftId, text: next });
  };
  const put = (next: string, at = next.length): void => {
    wanted.current = at;
    write(next, at);
  };
  const onKey = ({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if ((key !== "ArrowUp" && key !== "ArrowDown") || shiftKey || altKey || ctrlKey || metaKey) {
      return false;
    }
    const step = historyStep({ entries: earlier(), key, text, place: place.current });
    if (!step) return false;
    place.current = step.place;
    put(step.text);
    setRecalled(step.place !== undefined);
    return true;
  };
  return { text, caret, write, put, moveCaret: setCaret, isRecalled, onKey };
}
