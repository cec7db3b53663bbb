import type { JsonValue, Question } from "@turnwire/protocol";
import { useFrontendTool, useRequests, type SessionRequest } from "@turnwire/react";
import { useState, type ReactNode } from "react";

/** Requests that wait for a person, above the composer; components that wait are in the chat. */
export function Requests(): ReactNode {
  useFrontendTool("choose_color", chooseColor);
  return useRequests().map((request) => (
    <fieldset
      key={request.id}
      className="request"
      disabled={request.progress.status === "responding"}
    >
      <RequestForm request={request} />
      {request.progress.error && <p role="alert">{request.progress.error.message}</p>}
    </fieldset>
  ));
}

/** A tool that only this page has: the demo agent calls it with /frontend-tool. */
function chooseColor(): JsonValue {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "plum" : "teal";
}

function RequestForm({ request }: { readonly request: SessionRequest }): ReactNode {
  switch (request.type) {
    case "permission":
      return (
        <>
          <legend>May I use {request.request.tool_name}?</legend>
          <pre>{JSON.stringify(request.request.tool_input, null, 2)}</pre>
          <button className="primary" onClick={() => request.respond({ behavior: "allow" })}>
            Allow
          </button>
          <button onClick={() => request.respond({ behavior: "deny" })}>Deny</button>
        </>
      );
    case "question":
      return (
        <QuestionForm
          questions={request.request.questions}
          onAnswer={(answers) => request.respond({ answers })}
        />
      );
    case "hook":
      return (
        <>
          <legend>Hook {request.request.hook_event}</legend>
          <button className="primary" onClick={() => request.respond({ decision: {} })}>
            Let it pass
          </button>
          <button onClick={() => request.respond({ decision: { decision: "block" } })}>
            Block
          </button>
        </>
      );
    case "interrupt":
      return <legend>Waiting for you in the {request.request.surface}</legend>;
    case "tool_call":
      return <legend>Working on {request.request.tool_name}</legend>;
    case "budget":
      return (
        <>
          <legend>The budget is reached: {request.request.reached.join(", ")}</legend>
          <button
            className="primary"
            onClick={() => request.respond({ decision: "raise", budget: null })}
          >
            Continue without a budget
          </button>
          <button onClick={() => request.respond({ decision: "stop" })}>Stop</button>
        </>
      );
  }
}

type Answers = Record<string, string[]>;

interface QuestionFormProps {
  readonly questions: readonly Question[];
  readonly onAnswer: (answers: Answers) => void;
}

function QuestionForm({ questions, onAnswer }: QuestionFormProps): ReactNode {
  const [answers, setAnswers] = useState<Answers>({});
  const toggle = ({ question, multi_select }: Question, label: string): void => {
    const chosen = answers[question] ?? [];
    const others = multi_select ? chosen.filter((other) => other !== label) : [];
    const next = chosen.includes(label) ? others : [...others, label];
    setAnswers({ ...answers, [question]: next });
  };
  return (
    <>
      {questions.map((asked) => (
        <div key={asked.question}>
          <p>{asked.question}</p>
          {asked.options.map(({ label }) => (
            <button
              key={label}
              aria-pressed={answers[asked.question]?.includes(label) ?? false}
              onClick={() => toggle(asked, label)}
            >
              {label}
            </button>
          ))}
        </div>
      ))}
      <button className="primary" onClick={() => onAnswer(answers)}>
        Answer
      </button>
    </>
  );
}
