import type { QuestionBlock } from "@turnwire/protocol";
import { useRequest } from "@turnwire/react";
import { Button } from "../../element/button.tsx";
import { useKeptState } from "../session/session-memory.ts";
import { noChoice, responseFrom, type Choice } from "./question-answer.ts";
import { QuestionField } from "./question-field.tsx";
import { RequestCard } from "./request-card.tsx";

/** The agent asks; each question takes one of its options, several, or words of one's own. */
export function QuestionCard({ block }: { readonly block: QuestionBlock }) {
  const { id, request, progress, respond } = useRequest(block);
  const { questions } = request;
  const [choices, setChoices] = useKeptState<readonly Choice[]>(
    `${id} choices`,
    questions.map(() => noChoice),
  );
  const response = responseFrom(choices, questions);
  const isEnded = progress.outcome !== undefined;
  const [first] = questions;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (response) respond(response);
      }}
    >
      <RequestCard
        id={id}
        title={
          questions.length === 1 ? "A question for you" : `${questions.length} questions for you`
        }
        progress={progress}
        expiresAt={request.expires_at}
        subject={first?.question}
        actions={
          <div className="row gap-2 wrap">
            <Button look="strong" type="submit" disabled={!response}>
              Answer
            </Button>
            <Button onClick={() => respond({ answers: {} })}>Skip</Button>
            {!response && <span className="tiny faint">Answer every question to continue</span>}
          </div>
        }
      >
        {isEnded ? (
          <GivenAnswers block={block} />
        ) : (
          questions.map((question, index) => (
            <QuestionField
              key={index}
              question={question}
              choice={choices[index] ?? noChoice}
              onChange={(choice) =>
                setChoices(choices.map((other, place) => (place === index ? choice : other)))
              }
            />
          ))
        )}
      </RequestCard>
    </form>
  );
}

function GivenAnswers({ block }: { readonly block: QuestionBlock }) {
  const answers = block.resolution?.answers ?? {};
  return (
    <dl className="stack gap-2 small">
      {block.request.questions.map(({ question }, index) => (
        <div key={index}>
          <dt className="faint">{question}</dt>
          <dd>{[answers[question] ?? "No answer"].flat().join(", ")}</dd>
        </div>
      ))}
    </dl>
  );
}
