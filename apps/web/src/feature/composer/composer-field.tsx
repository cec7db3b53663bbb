import {
  type ClipboardEvent,
  type KeyboardEvent,
  type RefObject,
  type TextareaHTMLAttributes,
  useEffect,
  useLayoutEffect,
  useRef,
} from "react";
import style from "./composer-field.module.css";
import { useEnterAction } from "./enter-key.ts";
import { isSendKey } from "./send-key.ts";

interface ComposerFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onChange: (value: string, caret: number) => void;
  readonly onSubmit: () => void;
  readonly ref?: RefObject<HTMLTextAreaElement | null>;
  /** ARIA attributes for a list of completions. */
  readonly listProps?: TextareaHTMLAttributes<HTMLTextAreaElement>;
  /** Receives keys first; true if it has handled one. */
  readonly onKey?: (event: KeyboardEvent<HTMLTextAreaElement>) => boolean;
  readonly onCaret?: (caret: number) => void;
  readonly onPaste?: (event: ClipboardEvent<HTMLTextAreaElement>) => void;
}

/** A text field that grows with its text; Enter submits, except on a touch screen and while an input method composes a word. */
export function ComposerField(props: ComposerFieldProps) {
  const { label, placeholder, value, onChange, onSubmit } = props;
  const { listProps, onKey, onCaret, onPaste } = props;
  const enter = useEnterAction();
  const ownField = useRef<HTMLTextAreaElement>(null);
  const field = props.ref ?? ownField;
  useEffect(() => {
    const isFine = matchMedia("(hover: hover)").matches;
    if (isFine && !isPersonElsewhere()) field.current?.focus({ preventScroll: true });
  }, [field]);
  useLayoutEffect(() => growWithText(field.current), [field, value]);
  return (
    <textarea
      {...listProps}
      ref={field}
      className={style.field}
      aria-label={label}
      placeholder={placeholder}
      rows={1}
      dir="auto"
      enterKeyHint={enter}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value, currentTarget.selectionStart)}
      onSelect={({ currentTarget }) => onCaret?.(currentTarget.selectionStart)}
      onPaste={onPaste}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (onKey?.(event)) event.preventDefault();
        else if (isSendKey(event, enter)) {
          event.preventDefault();
          onSubmit();
        }
      }}
    />
  );
}

/** For browsers that do not know `field-sizing`. */
function growWithText(field: HTMLTextAreaElement | null): void {
  if (!field || CSS.supports("field-sizing", "content")) return;
  field.style.height = "auto";
  field.style.height = `${field.scrollHeight}px`;
}

/** True while a person renames something or has a menu, a list or a dialog open: to take the focus would end that. */
function isPersonElsewhere(): boolean {
  return (
    document.activeElement?.closest(
      "input, dialog, [popover], [role='combobox'][aria-expanded='true']",
    ) != null
  );
}
