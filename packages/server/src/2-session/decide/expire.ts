import type { Control, EventDraft, OpenToolCall } from "@turnwire/protocol";
import type { RequestAnswer, Runtime } from "@turnwire/runtime";
import { isUnattended } from "./admit.ts";
import { type AgentRequest, expiredAnswer, resolve } from "./resolve.ts";

const unattended = "No one is there to answer: this turn runs unattended.";

/** Ends a request that no one answered in time, or that no one could. */
export function expire(
  control: Control,
  request: AgentRequest,
  runtime: Pick<Runtime, "refusalOfHook">,
): { readonly event: EventDraft; readonly answer: RequestAnswer } {
  if (request.type === "tool_call_request") {
    const answer = expiredAnswer(request, notPerformed(request));
    return { event: resolve(request, "expired"), answer };
  }
  if (!isUnattended(control, request.turn_id)) {
    return { event: resolve(request, "expired"), answer: expiredAnswer(request) };
  }
  return {
    event: resolve(request, "expired", unattended),
    answer: unattendedAnswer(request, runtime),
  };
}

/** Why a tool call has no result, for the model: pages are asked for it also where no person is there. */
function notPerformed({ ts, data, claim }: OpenToolCall): string {
  const { tool_name, expires_at = ts } = data;
  const seconds = Math.round((Date.parse(expires_at) - Date.parse(ts)) / 1000);
  return claim
    ? `${tool_name} was not completed: the page that performed it is gone, and no other took over within ${seconds} seconds.`
    : `${tool_name} was not performed: no open page took the call within ${seconds} seconds.`;
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
