import type { StepEnd } from "./next-move.ts";
import { notesOf, verdictOf } from "./last-line.ts";
import type { RunPlan } from "./plan.ts";

/** What one agent gets to read of another's answer. */
const LONGEST_QUOTE = 20_000;

/** What the working agent is sent. Without a loop that is what the person wrote and nothing else. */
export function workPrompt(plan: RunPlan, steps: readonly StepEnd[]): string {
  const last = steps.at(-1);
  const isFirst = last === undefined;
  const parts = [
    isFirst || plan.isFresh ? plan.task : "",
    !isFirst && plan.isFresh ? earlierWork : "",
    !isFirst && !plan.isFresh && last.type === "work" ? "Continue with the task." : "",
    last?.type === "review" ? reviewNotes(last) : "",
    plan.until === undefined ? "" : signalRule(plan.until),
  ];
  return parts.filter(Boolean).join("\n\n");
}

const earlierWork =
  "You are not the first to work on this: look at what is already there before you continue.";

/** The signal does not stand on a line of its own here: who repeats the rule does not give it. */
function signalRule(signal: string): string {
  return `No one is there to answer questions: decide yourself. When all of it is done, and not before, end your answer with a last line that has nothing but ${signal} on it.`;
}

function reviewNotes({ answer }: StepEnd): string {
  const isClear = verdictOf(answer) !== undefined;
  const opening = isClear
    ? "A reviewer looked at the work and did not accept it:"
    : "A reviewer looked at the work and gave no clear verdict, so it is not accepted:";
  const notes = quoted(notesOf(answer)) || "(no notes)";
  return `${opening}\n\n${notes}\n\nDo what is needed so that it is accepted.`;
}

/** What the reviewing agent is sent about the work of the step before. */
export function reviewPrompt(plan: RunPlan, work: StepEnd): string {
  return [
    "Review the work of another agent in this directory. It was given this task:",
    fenced(plan.task),
    "It reports:",
    fenced(quoted(work.answer) || "(nothing)"),
    "Do not trust the report: look at the files, and at what git shows as changed, where there is git. Change nothing.",
    "Write what has to be corrected, if anything, precisely enough for the other agent to act on it. Then end your answer with a last line that has nothing on it but one word: PASS if the task is done well, FAIL if not.",
  ].join("\n\n");
}

function quoted(text: string): string {
  const whole = text.trim();
  if (whole.length <= LONGEST_QUOTE) return whole;
  return `${whole.slice(0, LONGEST_QUOTE / 2)}\n\n[…]\n\n${whole.slice(-LONGEST_QUOTE / 2)}`;
}

/** In a fence that the text cannot close. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.trim()}\n${fence}`;
}
