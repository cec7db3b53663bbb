import type { Control, Outcome } from "@turnwire/protocol";
import type { ClientError } from "../5-connection/client-error.ts";
import type { RequestProgress } from "./session-view.ts";

/** The progress of this client's answers, by request; the log has the rest. */
export type Answering = Readonly<Record<string, AnswerState>>;

export type AnswerState =
  | { readonly status: "responding" }
  | { readonly status: "conflict"; readonly error: ClientError }
  | { readonly status: "failed"; readonly error: ClientError };

type Requests = Readonly<Record<string, RequestProgress>>;

/** Open requests and the newest that ended. Entries that did not change since `before` are the same objects. */
export function requestsFrom(control: Control, answering: Answering, before: Requests): Requests {
  const progress = [
    ...Object.keys(control.requests).map((id) => [id, openProgress(answering[id])] as const),
    ...Object.entries(control.outcomes).map(
      ([id, outcome]) => [id, endedProgress(outcome, answering[id])] as const,
    ),
  ];
  return Object.fromEntries(
    progress.map(([id, next]) => {
      const known = before[id];
      return [id, known && isSame(known, next) ? known : next];
    }),
  );
}

/** Forgets answers that no longer mean anything: their request ended, is asked again, or is long gone. */
export function answeringAfter(answering: Answering, before: Control, after: Control): Answering {
  if (before.requests === after.requests && before.outcomes === after.outcomes) return answering;
  const kept = Object.entries(answering).filter(([id, { status }]) =>
    id in after.requests ? id in before.requests : status === "conflict" && id in after.outcomes,
  );
  return kept.length === Object.keys(answering).length ? answering : Object.fromEntries(kept);
}

function openProgress(answer: AnswerState | undefined): RequestProgress {
  switch (answer?.status) {
    case undefined:
      return { status: "requested" };
    case "responding":
      return { status: "responding" };
    case "conflict":
      return { status: "conflict", error: answer.error };
    case "failed":
      return { status: "requested", error: answer.error };
  }
}

function endedProgress(outcome: Outcome, answer: AnswerState | undefined): RequestProgress {
  if (answer?.status === "conflict") return { status: "conflict", outcome, error: answer.error };
  return { status: outcome === "expired" ? "expired" : "resolved", outcome };
}

function isSame(left: RequestProgress, right: RequestProgress): boolean {
  return (
    left.status === right.status && left.outcome === right.outcome && left.error === right.error
  );
}
