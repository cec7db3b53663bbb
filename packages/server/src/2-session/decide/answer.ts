import { isDeepStrictEqual } from "node:util";
import {
  type CommandOf,
  type Control,
  draft,
  type EventData,
  type EventDraft,
  isAskedByAgent,
  type OpenRequest,
  outcomeOf,
  rejected,
  requestId,
  requestKindOf,
  requestKinds,
  requestOf,
  resolutionOf,
} from "@turnwire/protocol";
import type { RequestAnswer, PolicyDecision } from "@turnwire/runtime";
import type { Decision, DecisionContext } from "./decide.ts";
import type { Effect } from "./effect.ts";
import { grantsFromAnswer, permissionsAfter } from "./grant.ts";
import { placeOf } from "./resolve.ts";

/** The first answer to an open request wins; every later one learns that it came too late. */
export function decideAnswer(
  control: Control,
  answer: RequestAnswer,
  context: DecisionContext,
): Decision {
  const id = requestId(answer);
  const request = requestOf(control, id);
  if (!request) return notOpen(control, id);
  if (answer.type === "permission_response" && answer.updated_permissions && !context.isAdmin) {
    return rejected("forbidden", "Only an admin may widen an agent's permissions.");
  }
  if (isEdited(request, answer) && !control.session.capabilities.edit_tool_input) {
    return rejected(
      "capability_missing",
      "This runtime does not accept edited input: allow or deny the request as it is.",
      {
        capability: "edit_tool_input",
      },
    );
  }
  const problem = answerProblem(request, answer) ?? context.answerProblem?.(answer);
  if (problem !== undefined) return rejected("invalid_request", problem, { id });
  const event = answeredEvent(request, answer, context.by);
  if (!event) {
    return rejected(
      "invalid_request",
      `Request ${id} is a ${request.type}: ${answer.type} does not answer it.`,
      { id },
    );
  }
  // A person decides what the policy asks about, never what it denies: not by an edit, nor after the mode has changed.
  const judged = isAllowing(answer) ? context.judged : undefined;
  if (judged?.verdict === "deny") return deniedByPolicy(id, judged);
  const granted = grantsFromAnswer(control, { request, answer }, context);
  const grants: Effect[] =
    granted.length > 0
      ? [{ type: "set_grants", permissions: permissionsAfter(control, granted) }]
      : [];
  return {
    ok: true,
    events: [...judgedEdit(request, answer, judged), event, ...granted],
    // The agent knows what it may do before it continues.
    effects: isAskedByAgent(request) ? [...grants, { type: "answer", answer }] : [],
  };
}

export function isAllowing(command: {
  readonly type: string;
}): command is CommandOf<"permission_response"> {
  return (
    "behavior" in command && command.type === "permission_response" && command.behavior === "allow"
  );
}

function deniedByPolicy(id: string, judged: PolicyDecision): ReturnType<typeof rejected> {
  const { rule, reason, mode, policy_version } = judged;
  const message = `The policy mode ${mode} denies this, so it cannot be allowed: ${reason}`;
  return rejected("policy_denied", message, { id, rule, reason, mode, policy_version });
}

/** The agent asked about another input: what the policy says about this one is news. */
function judgedEdit(
  request: OpenRequest,
  answer: RequestAnswer,
  judged: PolicyDecision | undefined,
): EventDraft[] {
  if (!judged || !isEdited(request, answer)) return [];
  return [draft("policy_decision", judged, placeOf(request))];
}

/** Why nothing can be done about a request that is not open. */
export function notOpen(control: Control, id: string): ReturnType<typeof rejected> {
  const outcome = outcomeOf(control, id);
  return outcome === undefined
    ? rejected("request_not_found", `This session has no request ${id}.`, { id })
    : rejected("already_resolved", `Request ${id} has already ended: ${outcome}.`, {
        id,
        outcome,
      });
}

/** Answers are by the question's full text: what was not asked would be lost on the agent. */
function answerProblem(request: OpenRequest, answer: RequestAnswer): string | undefined {
  if (request.type !== "question_request" || answer.type !== "question_response") return undefined;
  const { questions } = request.data;
  const asked = new Set(questions.map(({ question }) => question));
  const named = [...Object.keys(answer.answers), ...Object.keys(answer.notes ?? {})];
  const unknown = named.find((question) => !asked.has(question));
  if (unknown !== undefined) {
    return `The request does not ask ${JSON.stringify(unknown)}. It asks: ${JSON.stringify([...asked])}.`;
  }
  const restricted = questions.filter(({ options_only }) => options_only === true);
  for (const { question, options } of restricted) {
    const labels = options.map(({ label }) => label);
    const given = [answer.answers[question] ?? []].flat();
    const other = given.find((label) => !labels.includes(label));
    if (other !== undefined) {
      return `${JSON.stringify(other)} is not an option for ${JSON.stringify(question)}: choose from ${JSON.stringify(labels)}.`;
    }
  }
  return undefined;
}

/** An input sent back as it came is not an edit: some UIs always do. */
function isEdited(request: OpenRequest, answer: RequestAnswer): boolean {
  return (
    request.type === "permission_request" &&
    answer.type === "permission_response" &&
    answer.updated_input !== undefined &&
    !isDeepStrictEqual(answer.updated_input, request.data.tool_input)
  );
}

function answeredEvent(
  request: OpenRequest,
  answer: RequestAnswer,
  by: string,
): EventDraft | undefined {
  const { response, answer: names } = requestKinds[requestKindOf(request)];
  if (answer.type !== response) return undefined;
  const repeated = Object.entries(answer).filter(
    ([name, value]) => (names as readonly string[]).includes(name) && value !== undefined,
  );
  return resolutionOf(request, {
    ...Object.fromEntries(repeated),
    ...(answer.type === "permission_response" && allowedBy(request, answer)),
    outcome: "answered",
    by,
  });
}

function allowedBy(
  request: OpenRequest,
  answer: CommandOf<"permission_response">,
): Pick<EventData<"permission_resolved">, "allowed" | "updated_input" | "updated_permissions"> {
  const allowed = answer.behavior === "allow";
  return {
    allowed,
    ...(isEdited(request, answer) && { updated_input: answer.updated_input }),
    ...(allowed &&
      answer.updated_permissions && { updated_permissions: answer.updated_permissions }),
  };
}
