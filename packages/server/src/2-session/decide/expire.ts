import type { Control, EventDraft } from "@turnwire/protocol";
import type { RequestAnswer, Runtime } from "../../1-runtime/runtime.ts";
import { isUnattended } from "../admit.ts";
import { type AgentRequest, expiredAnswer, resolve } from "./resolve.ts";

const unattended = "No one is there to answer: this turn runs unattended.";

/** Ends a request that no one answered in time, or that no one could. */
export function expire(
  control: Control,
  request: AgentRequest,
  runtime: Pick<Runtime, "refusalOfHook">,
): { readonly event: EventDraft; readonly answer: RequestAnswer } {
  if (!isUnattended(control, request.turn_id)) {
    return { event: resolve(request, "expired"), answer: expiredAnswer(request) };
  }
  return {
    event: resolve(request, "expired", unattended),
    answer: unattendedAnswer(request, runtime),
  };
}

/** A refusal that says why, wherever the request has a place for it. */
function unattendedAnswer(
  request: AgentRequest,
  runtime: Pick<Runtime, "refusalOfHook">,
): RequestAnswer {
  const answer = expiredAnswer(request, unattended);
  if (request.type === "hook_request" && answer.type === "hook_response") {
    return { ...answer, decision: runtime.refusalOfHook?.(request.data, unattended) ?? {} };
  }
  if (request.type === "question_request" && answer.type === "question_response") {
    const open = request.data.questions.filter(({ options_only }) => options_only !== true);
    const answers = Object.fromEntries(open.map(({ question }) => [question, unattended] as const));
    return { ...answer, answers };
  }
  return answer;
}
