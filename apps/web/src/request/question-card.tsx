import type { Answers, QuestionBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../element/button.tsx";
import style from "./question-card.module.css";
import { RequestCard } from "./request-card.tsx";

/** The agent asks; each question takes one of its options, or several. */
export function QuestionCard({ block }: { readonly block: QuestionBlock }) {
  const { request, progress, respond } = useRequest(block);
  const answer = (form: HTMLFormElement): void => {
    const data = new FormData(form);
    const answers: Answers = {};
    for (const [index, { question, multi_select }] of request.questions.entries()) {
      const chosen = data.getAll(String(index)).map(String);
      answers[question] = multi_select ? chosen : (chosen[0] ?? "");
    }
    respond({ answers });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        answer(event.currentTarget);
      }}
    >
      <RequestCard
        title="The agent asks"
        progress={progress}
        actions={
          <Button look="strong" type="submit">
            Answer
          </Button>
        }
      >
        {request.questions.map(({ question, options, multi_select }, index) => (
          <fieldset key={question} className={style.question}>
            <legend>{question}</legend>
            {options.map(({ label, description }, place) => (
              <label key={label}>
                <input
                  type={multi_select ? "checkbox" : "radio"}
                  name={String(index)}
                  value={label}
                  defaultChecked={!multi_select && place === 0}
                />
                <span>
                  {label}
                  {description !== undefined && <small>{description}</small>}
                </span>
              </label>
            ))}
          </fieldset>
        ))}
      </RequestCard>
    </form>
  );
}
