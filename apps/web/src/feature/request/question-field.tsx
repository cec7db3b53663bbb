import type { Question } from "@turnwire/protocol";
import { useEffect, useId, useRef, useState } from "react";
import { Prose } from "../../element/prose/prose.tsx";
import { withLabel, withOther, type Choice } from "./question-answer.ts";
import style from "./question-field.module.css";

interface QuestionFieldProps {
  readonly question: Question;
  readonly choice: Choice;
  readonly onChange: (choice: Choice) => void;
}

/** One question: its options with previews, a free answer, and a note. */
export function QuestionField({ question, choice, onChange }: QuestionFieldProps) {
  const { header, options } = question;
  const name = useId();
  const hasPreviews = options.some(({ preview }) => preview !== undefined);
  const [looked, setLooked] = useState<string>();
  const shown = options.find(({ label }) => label === (looked ?? choice.labels.at(-1)));
  return (
    <fieldset className={style.question}>
      <legend dir="auto">
        {header !== undefined && <span className={`tiny soft ${style.header}`}>{header}</span>}
        {question.question}
      </legend>
      <div className={style.body} data-previews={hasPreviews}>
        <div className={`stack gap-1 ${style.options}`}>
          {options.map(({ label, description }, index) => (
            <label key={index} onMouseEnter={() => setLooked(label)}>
              <input
                type={question.multi_select ? "checkbox" : "radio"}
                name={name}
                checked={choice.labels.includes(label)}
                onFocus={() => setLooked(label)}
                onChange={() => onChange(withLabel(choice, label, question))}
              />
              <span>
                {label}
                {description !== undefined && <small>{description}</small>}
              </span>
            </label>
          ))}
          {question.options_only !== true && (
            <OwnWords question={question} name={name} choice={choice} onChange={onChange} />
          )}
        </div>
        {hasPreviews && (
          <div className={style.preview}>
            {shown?.preview === undefined ? (
              <p className="small faint">Preview</p>
            ) : (
              <Prose text={shown.preview} />
            )}
          </div>
        )}
      </div>
      <Note choice={choice} onChange={onChange} />
    </fieldset>
  );
}

interface OwnWordsProps extends QuestionFieldProps {
  readonly name: string;
}

/** A free answer; the only one where there are no options. */
function OwnWords({ question, name, choice, onChange }: OwnWordsProps) {
  const field = useRef<HTMLInputElement>(null);
  const write = (other: string): void => onChange({ ...choice, other });
  if (question.options.length === 0) {
    return (
      <input
        type="text"
        className={`input ${style.words}`}
        aria-label="Your answer"
        autoComplete="off"
        value={choice.other}
        onChange={(event) => write(event.currentTarget.value)}
      />
    );
  }
  return (
    <div className="flow gap-2">
      <label>
        <input
          type={question.multi_select ? "checkbox" : "radio"}
          name={name}
          checked={choice.isOther}
          onChange={() => onChange(withOther(choice, question))}
          onClick={() => field.current?.focus()}
        />
        <span>Other</span>
      </label>
      <input
        ref={field}
        type="text"
        className={`input ${style.words}`}
        aria-label="Other answer"
        placeholder="In your own words"
        autoComplete="off"
        value={choice.other}
        onChange={(event) => {
          const other = event.currentTarget.value;
          const isNew = other !== "" && !choice.isOther;
          onChange({ ...(isNew ? withOther(choice, question) : choice), other });
        }}
      />
    </div>
  );
}

function Note({ choice, onChange }: Omit<QuestionFieldProps, "question">) {
  const [isOpen, setOpen] = useState(choice.note !== "");
  const field = useRef<HTMLInputElement>(null);
  const wasOpened = useRef(false);
  useEffect(() => {
    if (isOpen && wasOpened.current) field.current?.focus();
  }, [isOpen]);
  if (!isOpen) {
    return (
      <button
        type="button"
        className={`bare small soft ${style.add}`}
        onClick={() => {
          wasOpened.current = true;
          setOpen(true);
        }}
      >
        Add a note
      </button>
    );
  }
  return (
    <input
      ref={field}
      type="text"
      className={`input ${style.words}`}
      aria-label="Note"
      placeholder="Note for the agent"
      autoComplete="off"
      value={choice.note}
      onChange={(event) => onChange({ ...choice, note: event.currentTarget.value })}
    />
  );
}
