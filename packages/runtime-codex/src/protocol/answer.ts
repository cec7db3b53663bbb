import { type Answers, type CommandOf, type EventData, JsonObject } from "@turnwire/protocol";
import * as z from "zod";
import { elicitationAnswer, type RequestAnswer, RuntimeError } from "@turnwire/runtime";

/** A request of the agent, as it came. */
export interface CodexRequest {
  readonly method: string;
  readonly params: unknown;
}

/** The offer to allow a thing, and its like, as long as the thread lives. */
export const forSession = { type: "acceptForSession" };

/** Codex remembers the very command or file, until the thread is unloaded. */
export function grantsFrom({ tool_input }: EventData<"permission_request">): JsonObject[] {
  const { command, changes } = Asked.safeParse(tool_input).data ?? {};
  return [
    {
      ...forSession,
      ...(command !== undefined && { command }),
      ...(changes && { files: changes.map(({ path }) => path) }),
    },
  ];
}

const Asked = z.object({
  command: z.string().optional(),
  changes: z.array(z.object({ path: z.string() })).optional(),
});

/** What Codex receives when a person answered: the result of its request. */
export function resultFromAnswer(
  { method, params }: CodexRequest,
  answer: RequestAnswer,
): JsonObject {
  switch (method) {
    case "item/commandExecution/requestApproval":
    case "item/fileChange/requestApproval":
      return { decision: decisionFrom(permissionOf(answer)) };
    case "item/permissions/requestApproval":
      return grantFrom(params, permissionOf(answer));
    case "item/tool/requestUserInput":
      return { answers: inputAnswersFrom(params, answer) };
    case "mcpServer/elicitation/request":
      return elicitationFrom(params, answer);
    case "item/tool/call":
      return toolOutputFrom(answer);
    case "turnwire/tool_approval":
      return refusedToolFrom(permissionOf(answer));
    default:
      throw new RuntimeError("protocol", `The request ${method} of Codex cannot be answered.`);
  }
}

function permissionOf(answer: RequestAnswer): CommandOf<"permission_response"> {
  if (answer.type === "permission_response") return answer;
  throw new RuntimeError("protocol", `Expected a permission_response, got a ${answer.type}.`);
}

/** Throws a RuntimeError where the answer would allow something else than what it says. */
export function checkAnswer(answer: RequestAnswer): void {
  if (answer.type !== "permission_response") return;
  for (const update of answer.updated_permissions ?? []) {
    if (update["type"] !== forSession.type) {
      const why = `This permission update is not allowed: ${JSON.stringify(update)}. Codex has ${JSON.stringify(forSession)} only.`;
      throw new RuntimeError("invalid_input", why);
    }
  }
}

/** Only words that Codex knows: any other would deny in silence. */
function decisionFrom({
  behavior,
  interrupt,
  updated_permissions,
}: CommandOf<"permission_response">): string {
  if (behavior === "deny") return interrupt ? "cancel" : "decline";
  return updated_permissions && updated_permissions.length > 0 ? "acceptForSession" : "accept";
}

const Permissions = z.looseObject({ permissions: JsonObject });

function grantFrom(params: unknown, answer: CommandOf<"permission_response">): JsonObject {
  const asked = Permissions.safeParse(params);
  const isAllowed = answer.behavior === "allow" && asked.success;
  const granted = isAllowed ? withoutNulls(asked.data.permissions) : {};
  return {
    permissions: granted,
    scope: decisionFrom(answer) === "acceptForSession" ? "session" : "turn",
  };
}

function withoutNulls(source: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(source).filter(([, value]) => value !== null));
}

const UserInput = z.looseObject({
  questions: z.array(z.looseObject({ id: z.string(), question: z.string() })),
});

/** Codex knows its questions by id, a person answers by their text. */
function inputAnswersFrom(params: unknown, answer: RequestAnswer): JsonObject {
  const asked = UserInput.safeParse(params);
  const answers = answersOf(answer);
  if (!asked.success) return {};
  return Object.fromEntries(
    asked.data.questions.flatMap(({ id, question }) => {
      const given = answers[question];
      return given === undefined ? [] : [[id, { answers: [given].flat() }]];
    }),
  );
}

function answersOf(answer: RequestAnswer): Answers {
  if (answer.type === "question_response") return answer.answers;
  if (answer.type === "permission_response" && answer.behavior === "deny") return {};
  throw new RuntimeError("protocol", `Expected a question_response, got a ${answer.type}.`);
}

const Form = z.looseObject({
  message: z.string().nullish(),
  serverName: z.string().default(""),
  requestedSchema: z.unknown().optional(),
});

/** An MCP server asks: for permission, or for values by the form that it gives. */
function elicitationFrom(params: unknown, answer: RequestAnswer): JsonObject {
  if (answer.type === "permission_response") {
    const { behavior, interrupt, updated_permissions = [] } = answer;
    if (behavior === "deny") return elicited(interrupt ? "cancel" : "decline");
    const isForSession = updated_permissions.length > 0;
    return { ...elicited("accept"), _meta: isForSession ? { persist: "session" } : null };
  }
  const { message, serverName = "", requestedSchema } = Form.safeParse(params).data ?? {};
  const form = { message, serverName, requestedSchema };
  const { action, content } = elicitationAnswer(form, answersOf(answer));
  return elicited(action, content);
}

function elicited(action: string, content: JsonObject | null = null): JsonObject {
  return { action, content, _meta: null };
}

/** What the model reads instead of a tool's output, where a person has refused the tool. */
function refusedToolFrom({ message }: CommandOf<"permission_response">): JsonObject {
  const text = message || "A person refused this tool.";
  return { contentItems: [{ type: "inputText", text }], success: false };
}

function toolOutputFrom(answer: RequestAnswer): JsonObject {
  if (answer.type !== "tool_call_response") {
    throw new RuntimeError("protocol", `Expected a tool_call_response, got a ${answer.type}.`);
  }
  const { output, is_error = false } = answer;
  const text = typeof output === "string" ? output : JSON.stringify(output);
  return { contentItems: [{ type: "inputText", text }], success: !is_error };
}
