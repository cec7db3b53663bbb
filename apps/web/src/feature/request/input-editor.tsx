import type { JsonValue } from "@turnwire/protocol";
import { useEffect, useId, useRef, useState } from "react";
import { Button } from "../../element/button.tsx";
import { useKeptState } from "../session/session-memory.ts";
import { editableText, editedInput } from "./edited-input.ts";
import { keyName } from "../../element/key-name.ts";
import style from "./input-editor.module.css";
import { useCardFocus } from "./request-card-context.ts";

interface InputEditorProps {
  readonly id: string;
  readonly input: JsonValue;
  readonly onSave: (input: JsonValue) => void;
  readonly onCancel: () => void;
}

/** Changes what a tool is given before it may run. */
export function InputEditor({ id, input, onSave, onCancel }: InputEditorProps) {
  const [text, setText] = useKeptState(`${id} input`, editableText(input));
  const [problem, setProblem] = useState<string>();
  const problemId = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const focusCard = useCardFocus();
  useEffect(() => field.current?.focus(), []);
  const save = (): void => {
    const edited = editedInput(input, text);
    if (edited.type === "input") onSave(edited.input);
    else setProblem(edited.problem);
  };
  const cancel = (): void => {
    onCancel();
    focusCard();
  };
  return (
    <form
      className="stack gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <textarea
        ref={field}
        className={`input mono ${style.text}`}
        aria-label="Changed input"
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setProblem(undefined);
        }}
        onKeyDown={(event) => {
          if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
          else if (event.key === "Escape") cancel();
          else return;
          event.preventDefault();
        }}
      />
      {problem !== undefined && (
        <p id={problemId} role="alert" className="small bad">
          {problem}
        </p>
      )}
      <div className="row gap-2 wrap">
        <Button look="strong" type="submit">
          Allow with changes
        </Button>
        <Button onClick={cancel}>Back</Button>
        <span className="tiny faint">
          <kbd>{keyName("Ctrl")}</kbd> <kbd>Enter</kbd> to allow
        </span>
      </div>
    </form>
  );
}
