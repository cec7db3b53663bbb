import { useSession } from "@turnwire/react";
import { useLayoutEffect, useRef, useState, type KeyboardEvent, type RefObject } from "react";
import { loadDraft, saveDraft } from "./draft.ts";
import { historyStep, ownTexts } from "./message-history.ts";

interface MessageText {
  readonly text: string;
  readonly caret: number;
  /** What a person types. */
  readonly write: (text: string, caret: number) => void;
  /** Puts a text into the field, with the caret at its end by default. */
  readonly put: (text: string, caret?: number) => void;
  readonly moveCaret: (caret: number) => void;
  /** Arrow keys recall earlier messages; true if the key was handled. */
  readonly onKey: (event: KeyboardEvent) => boolean;
}

/** The text of the next message: kept as this session's draft, also across reloads. */
export function useMessageText(field: RefObject<HTMLTextAreaElement | null>): MessageText {
  const session = useSession();
  const [text, setText] = useState(() => loadDraft(session.id));
  const [caret, setCaret] = useState(text.length);
  const wanted = useRef<number>(undefined);
  const place = useRef<number>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    field.current?.setSelectionRange(wanted.current, wanted.current);
    wanted.current = undefined;
  });
  const write = (next: string, at: number): void => {
    setText(next);
    setCaret(at);
    saveDraft({ sessionId: session.id, text: next });
  };
  const put = (next: string, at = next.length): void => {
    wanted.current = at;
    write(next, at);
  };
  const onKey = ({ key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean => {
    if ((key !== "ArrowUp" && key !== "ArrowDown") || shiftKey || altKey || ctrlKey || metaKey) {
      return false;
    }
    const entries = ownTexts(session.getState());
    const step = historyStep({ entries, key, text, place: place.current });
    if (!step) return false;
    place.current = step.place;
    put(step.text);
    return true;
  };
  return { text, caret, write, put, moveCaret: setCaret, onKey };
}
