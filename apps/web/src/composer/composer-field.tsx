import { useEffect, useRef } from "react";
import style from "./composer-field.module.css";

interface ComposerFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly autoFocus?: boolean;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
}

/** A text field as high as its text; Enter submits, unless a word is still being composed. */
export function ComposerField(props: ComposerFieldProps) {
  const { label, placeholder, value, autoFocus = true, onChange, onSubmit } = props;
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    const isFine = matchMedia("(hover: hover)").matches;
    if (autoFocus && isFine) field.current?.focus({ preventScroll: true });
  }, [autoFocus]);
  return (
    <textarea
      ref={field}
      className={style.field}
      aria-label={label}
      placeholder={placeholder}
      rows={1}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
        event.preventDefault();
        onSubmit();
      }}
    />
  );
}
