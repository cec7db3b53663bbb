import type { Answers, Question } from "@turnwire/protocol";

/** What a person has chosen for one question so far. */
export interface Choice {
  readonly labels: readonly string[];
  readonly isOther: boolean;
  /** The person's own words; used where there are no options or Other is chosen. */
  readonly other: string;
  readonly note: string;
}

export const noChoice: Choice = { labels: [], isOther: false, other: "", note: "" };

/** Chooses an option, or unchooses it where several may be chosen. */
export function withLabel(choice: Choice, label: string, question: Question): Choice {
  if (!question.multi_select) return { ...choice, labels: [label], isOther: false };
  const rest = choice.labels.filter((chosen) => chosen !== label);
  return { ...choice, labels: rest.length < choice.labels.length ? rest : [...rest, label] };
}

/** Chooses Other, or unchooses it where several answers are allowed. */
export function withOther(choice: Choice, question: Question): Choice {
  if (!question.multi_select) return { ...choice, labels: [], isOther: true };
  return { ...choice, isOther: !choice.isOther };
}

/** The answer to one question; undefined while it is missing. */
export function answerFrom(choice: Choice, question: Question): Answers[string] | undefined {
  const own = choice.other.trim();
  if (question.options.length === 0) return own === "" ? undefined : own;
  if (choice.isOther && own === "") return undefined;
  const given = choice.isOther ? [...choice.labels, own] : [...choice.labels];
  if (given.length === 0) return undefined;
  return question.multi_select ? given : given[0];
}

interface QuestionResponse {
  readonly answers: Answers;
  readonly notes?: Record<string, string>;
}

/** All answers, by the full text of their questions; undefined while one is missing. */
export function responseFrom(
  choices: readonly Choice[],
  questions: readonly Question[],
): QuestionResponse | undefined {
  const answers: Answers = {};
  const notes: Record<string, string> = {};
  for (const [index, question] of questions.entries()) {
    const choice = choices[index] ?? noChoice;
    const answer = answerFrom(choice, question);
    if (answer === undefined) return undefined;
    answers[question.question] = answer;
    if (choice.note.trim() !== "") notes[question.question] = choice.note.trim();
  }
  return { answers, ...(Object.keys(notes).length > 0 && { notes }) };
}
