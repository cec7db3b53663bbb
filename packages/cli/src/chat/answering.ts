import type { OwnCommand } from "@turnwire/client";
import {
  type Answers,
  type JsonObject,
  type JsonValue,
  type OpenRequest,
  type Question,
  requestId,
  type SessionEventOf,
} from "@turnwire/protocol";
import { budgetFromText } from "../option/budget-text.ts";
import { choicesIn, pickByNumber } from "./choice.ts";
import { isJsonObject, jsonFromText } from "./json-text.ts";

/** How far a person has come in answering a request. */
export interface Answering {
  readonly request: OpenRequest;
  /** Answers to the first questions of a question request. */
  readonly answered: readonly (readonly [
    question: string,
    answer: string | string[] | undefined,
  ])[];
  /** The agent takes another input than it asked for. */
  readonly canEdit: boolean;
  /** The next line replaces the tool's input. */
  readonly isEditing: boolean;
}

/** What a line means: an answer to send, a step on the way, or nothing we understood. */
export type Reply =
  | { readonly type: "command"; readonly command: OwnCommand }
  | { readonly type: "continue"; readonly answering: Answering }
  | { readonly type: "again"; readonly hint: string };

/** What stands before the input while a request waits, and what the input starts with. */
export interface AnswerPrompt {
  readonly label: string;
  readonly prefill: string;
}

export function startAnswering(request: OpenRequest, canEdit: boolean): Answering {
  return { request, answered: [], canEdit, isEditing: false };
}

const again = (hint: string): Reply => ({ type: "again", hint });
const send = (command: OwnCommand): Reply => ({ type: "command", command });

/** The first word in lower case, and the rest. */
function splitWord(line: string): { word: string; rest: string } {
  const [word = ""] = line.split(/\s/, 1);
  return { word: word.toLowerCase(), rest: line.slice(word.length).trim() };
}

function currentQuestion({ request, answered }: Answering): Question | undefined {
  return request.type === "question_request" ? request.data.questions[answered.length] : undefined;
}

/** The input as a person edits it: a command as it is, everything else as JSON. */
function editableInput(input: JsonValue): string {
  if (isJsonObject(input) && typeof input["command"] === "string") return input["command"];
  return JSON.stringify(input);
}

function editedInput(input: JsonValue, line: string): JsonValue | undefined {
  if (isJsonObject(input) && typeof input["command"] === "string")
    return { ...input, command: line };
  const edited = jsonFromText(line);
  return typeof edited === "object" ? edited : undefined;
}

export function answerPrompt(answering: Answering): AnswerPrompt {
  const { request } = answering;
  switch (request.type) {
    case "permission_request": {
      if (answering.isEditing) {
        return { label: "new input", prefill: editableInput(request.data.tool_input) };
      }
      // Where the policy asks, only a rule of the policy answers for the next time.
      const always = !request.data.policy && request.data.suggestions?.length ? " · a always" : "";
      const edit = answering.canEdit ? " · e edit" : "";
      return { label: `y yes${always} · n no · d no, and stop${edit}`, prefill: "" };
    }
    case "question_request": {
      const question = currentQuestion(answering);
      const name = question?.header ?? "answer";
      const how = question?.multi_select
        ? "numbers like 1,2 or your words"
        : "number or your words";
      return { label: `${name}: ${how}`, prefill: "" };
    }
    case "hook_request":
      return { label: "y let it pass · n block it, with a reason", prefill: "" };
    case "interrupt":
      return { label: answerLabel(choicesIn(request.data.props).length), prefill: "" };
    case "tool_call_request": {
      const { input } = request.data;
      const count = isJsonObject(input) ? choicesIn(input).length : 0;
      return { label: `${answerLabel(count)} · fail and a reason`, prefill: "" };
    }
    case "budget_request":
      return { label: budgetLabel(request), prefill: "" };
  }
}

function answerLabel(choices: number): string {
  return choices > 0 ? `number 1-${choices}, text or JSON` : "text or JSON";
}

function replyToPermission(
  answering: Answering,
  request: SessionEventOf<"permission_request">,
  line: string,
): Reply {
  const respond = { type: "permission_response", correlation_id: requestId(request) } as const;
  if (answering.isEditing) {
    const updated_input = editedInput(request.data.tool_input, line);
    if (updated_input === undefined)
      return again("That is not JSON. Correct it, or /stop the turn.");
    return send({ ...respond, behavior: "allow", updated_input });
  }
  const { word, rest } = splitWord(line);
  const reason = rest === "" ? {} : { message: rest };
  const suggestions = request.data.suggestions ?? [];
  switch (word) {
    case "y":
    case "yes":
      return send({ ...respond, behavior: "allow" });
    // The first suggestion is the narrowest; the others allow far more than this.
    case "a":
    case "always":
      if (request.data.policy) {
        return again(
          "The policy asks here, so only a rule of the policy allows it from now on: turnwire policy allow. y allows it once.",
        );
      }
      return suggestions.length === 0
        ? again("The agent offers nothing to remember here; y allows it once.")
        : send({ ...respond, behavior: "allow", updated_permissions: suggestions.slice(0, 1) });
    case "n":
    case "no":
      return send({ ...respond, behavior: "deny", ...reason });
    case "d":
    case "deny":
      return send({ ...respond, behavior: "deny", interrupt: true, ...reason });
    case "e":
    case "edit":
      return answering.canEdit
        ? { type: "continue", answering: { ...answering, isEditing: true } }
        : again("This agent takes no edited input: y allows it as it is, n denies it.");
    default:
      return again("Type y, n or another of the letters below; n may have a reason: n too risky.");
  }
}

type Understood<Value> = { readonly value: Value } | { readonly hint: string };

function answerTo(question: Question, line: string): Understood<string | string[]> {
  const labels = question.options.map(({ label }) => label);
  const pick = pickByNumber(line, labels, { isMultiple: question.multi_select ?? false });
  switch (pick.type) {
    case "wrong":
      return { hint: pick.hint };
    case "words":
      return { value: labels.find((label) => label.toLowerCase() === line.toLowerCase()) ?? line };
    case "picked":
      return { value: question.multi_select ? [...pick.items] : (pick.items[0] ?? line) };
  }
}

function replyToQuestion(
  answering: Answering,
  request: SessionEventOf<"question_request">,
  line: string,
): Reply {
  const question = request.data.questions[answering.answered.length];
  if (!question) return again("There is no question left.");
  const answer = line === "-" ? { value: undefined } : answerTo(question, line);
  if ("hint" in answer) return again(answer.hint);
  const answered = [...answering.answered, [question.question, answer.value] as const];
  if (answered.length < request.data.questions.length) {
    return { type: "continue", answering: { ...answering, answered } };
  }
  const answers: Answers = {};
  for (const [asked, given] of answered) {
    if (given !== undefined) answers[asked] = given;
  }
  return send({ type: "question_response", correlation_id: requestId(request), answers });
}

function decisionFrom(line: string): JsonObject | undefined {
  const { word, rest } = splitWord(line);
  if (word === "y" || word === "yes") return { continue: true };
  if (word === "n" || word === "no") {
    return rest === "" ? { decision: "block" } : { decision: "block", reason: rest };
  }
  const typed = jsonFromText(line);
  return isJsonObject(typed) ? typed : undefined;
}

function budgetLabel({ data }: SessionEventOf<"budget_request">): string {
  const limits = data.reached.map((name) => `${name}=${(data.allowed[name] ?? 0) * 2}`).join(" ");
  return `raise ${limits} · none for no budget · stop`;
}

/** "tokens=200000 minutes=30", none, or stop. */
function replyToBudget(request: SessionEventOf<"budget_request">, line: string): Reply {
  const respond = { type: "budget_response", correlation_id: requestId(request) } as const;
  if (line === "stop") return send({ ...respond, decision: "stop" });
  if (line === "none") return send({ ...respond, decision: "raise", budget: null });
  const budget = budgetFromText(line.replace(/^raise\b/, ""));
  if ("problem" in budget) return again(`${budget.problem}; or type none, or stop.`);
  return send({ ...respond, decision: "raise", budget });
}

function valueFrom(line: string, offering: JsonValue): Understood<JsonValue> {
  const choices = isJsonObject(offering) ? choicesIn(offering) : [];
  const pick = pickByNumber(line, choices, { isMultiple: false });
  switch (pick.type) {
    case "wrong":
      return { hint: pick.hint };
    case "words":
      return { value: jsonFromText(line) };
    case "picked":
      return { value: pick.items[0]?.value ?? line };
  }
}

/** What a line says to the request that waits. Pure: the same line always means the same. */
export function replyTo(answering: Answering, input: string): Reply {
  const { request } = answering;
  const line = input.trim();
  if (line === "") return again("Type an answer first.");
  switch (request.type) {
    case "permission_request":
      return replyToPermission(answering, request, line);
    case "question_request":
      return replyToQuestion(answering, request, line);
    case "hook_request": {
      const decision = decisionFrom(line);
      if (!decision) return again("Type y, n with a reason, or a JSON object for the hook.");
      return send({ type: "hook_response", correlation_id: requestId(request), decision });
    }
    case "interrupt": {
      const value = valueFrom(line, request.data.props);
      if ("hint" in value) return again(value.hint);
      return send({ type: "interrupt_response", interrupt_id: requestId(request), ...value });
    }
    case "tool_call_request": {
      const { word, rest } = splitWord(line);
      const respond = { type: "tool_call_response", correlation_id: requestId(request) } as const;
      if (word === "fail") return send({ ...respond, output: rest, is_error: true });
      const output = valueFrom(line, request.data.input);
      return "hint" in output ? again(output.hint) : send({ ...respond, output: output.value });
    }
    case "budget_request":
      return replyToBudget(request, line);
  }
}
