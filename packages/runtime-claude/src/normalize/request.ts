import {
  draft,
  type EventDraft,
  type JsonObject,
  Question,
  resolutionDraft,
} from "@turnwire/protocol";
import * as z from "zod";
import type { ClaudeMessageOf } from "./message.ts";
import { suggestionForSession } from "../setting/permissions.ts";
import { userOf } from "./component.ts";
import {
  type ClaudeState,
  type OpenRequest,
  placeOf,
  type Step,
  withEntry,
  withoutEntry,
} from "./state.ts";
import { objectFrom } from "./tool.ts";

type Ask = ClaudeMessageOf<"turnwire/ask">;
type HookAsk = ClaudeMessageOf<"turnwire/hook_ask">;

const Questions = z
  .array(
    z.object({
      question: z.string(),
      header: z.string().optional(),
      multiSelect: z.boolean().optional(),
      options: Question.shape.options,
    }),
  )
  .min(1);

/** The agent asks before it uses a tool: a question is one, all else is a permission. */
export function ask(state: ClaudeState, message: Ask): Step {
  const questions =
    message.tool_name === "AskUserQuestion"
      ? Questions.safeParse(objectFrom(message.input)["questions"]).data
      : undefined;
  const type = questions ? "question" : "permission";
  const speaker = speakerOf(state, message.agent_id);
  const next = opened(markAsked(state, message.tool_use_id), message.request_id, {
    type,
    toolName: message.tool_name,
    speaker,
  });
  const asked = {
    correlation_id: message.request_id,
    ...(message.tool_use_id !== undefined && { tool_use_id: message.tool_use_id }),
  };
  if (message.is_restored) return [next, []];
  if (questions) {
    const data = { ...asked, questions: questions.map(questionFrom) };
    return [next, [draft("question_request", data, placeOf(speaker))]];
  }
  const plan = planOf(message);
  const context = contextFrom({ ...message.context, ...(plan !== undefined && { plan }) });
  const data = {
    ...asked,
    tool_name: message.tool_name,
    tool_input: message.input,
    ...(Object.keys(context).length > 0 && { context }),
    ...(message.diff !== undefined && { diff: message.diff }),
    ...(message.policy && { policy: message.policy }),
    ...(message.suggestions && { suggestions: message.suggestions.map(suggestionForSession) }),
  };
  return [next, [draft("permission_request", data, placeOf(speaker))]];
}

/** The session's policy decided about the use of a tool. */
export function takeDecision(
  state: ClaudeState,
  { decision, agent_id }: ClaudeMessageOf<"turnwire/policy_decision">,
): Step {
  return [state, [draft("policy_decision", decision, placeOf(speakerOf(state, agent_id)))]];
}

/** A hook waits for a decision. */
export function askHook(state: ClaudeState, message: HookAsk): Step {
  const { request_id, hook_event, input, tool_use_id } = message;
  const { agent_id: agentId } = objectFrom(input);
  const speaker = speakerOf(state, typeof agentId === "string" ? agentId : undefined);
  const next = opened(state, request_id, { type: "hook", toolName: hook_event, speaker });
  const data = {
    correlation_id: request_id,
    hook_event,
    hook_input: input,
    ...(tool_use_id !== undefined && { tool_use_id }),
  };
  return [next, [draft("hook_request", data, placeOf(speaker))]];
}

/** An MCP server waits for values, or for a visit to an address. The CLI does not tell for which tool (2.1.328). */
export function askElicitation(
  state: ClaudeState,
  { request_id, server_name, questions }: ClaudeMessageOf<"turnwire/elicitation_ask">,
): Step {
  const asked = { type: "question", toolName: server_name, speaker: undefined } as const;
  const data = { correlation_id: request_id, questions };
  return [opened(state, request_id, asked), [draft("question_request", data)]];
}

/** The agent waits for what a person does in a component. */
export function askInComponent(
  state: ClaudeState,
  message: ClaudeMessageOf<"turnwire/interrupt_ask">,
): Step {
  const { type: _, request_id, tool_use_id, ...shown } = message;
  const speaker = userOf(state, tool_use_id);
  const asked = { type: "interrupt", toolName: shown.component_name, speaker } as const;
  const next = opened(markAsked(state, tool_use_id), request_id, asked);
  return [next, [draft("interrupt", { interrupt_id: request_id, ...shown }, placeOf(speaker))]];
}

/** The agent waits for a tool that the UI performs. */
export function askForCall(
  state: ClaudeState,
  message: ClaudeMessageOf<"turnwire/call_ask">,
): Step {
  const { type: _, request_id, ...called } = message;
  const speaker = userOf(state, called.tool_use_id);
  const asked = { type: "tool_call", toolName: called.tool_name, speaker } as const;
  const data = { correlation_id: request_id, ...called };
  return [opened(state, request_id, asked), [draft("tool_call_request", data, placeOf(speaker))]];
}

/** The agent takes back what it asked. */
export function withdrawAsk(state: ClaudeState, requestId: string): Step {
  const asked = state.asks.get(requestId);
  if (!asked) return [state, []];
  const next = { ...state, asks: withoutEntry(state.asks, requestId) };
  return [next, [withdrawal(requestId, asked)]];
}

function withdrawal(id: string, { type, toolName, speaker }: OpenRequest): EventDraft {
  const permission = type === "permission" && { tool_name: toolName, allowed: false };
  return resolutionDraft(type, { id, outcome: "cancelled", ...permission }, placeOf(speaker));
}

function opened(state: ClaudeState, id: string, asked: OpenRequest): ClaudeState {
  return { ...state, asks: withEntry(state.asks, id, asked) };
}

/** The sub-agent that the CLI knows by this id, if its spawn was seen. */
export function speakerOf(state: ClaudeState, agentId: string | undefined): string | undefined {
  const spawn = agentId === undefined ? undefined : state.agents.get(agentId);
  return spawn !== undefined && state.spawned.has(spawn) ? spawn : undefined;
}

function markAsked(state: ClaudeState, toolUseId: string | undefined): ClaudeState {
  const tool = toolUseId === undefined ? undefined : state.tools.get(toolUseId);
  if (!tool || toolUseId === undefined) return state;
  return { ...state, tools: withEntry(state.tools, toolUseId, { ...tool, wasAsked: true }) };
}

/** The plan that waits for approval; empty where the CLI sends none. */
function planOf({ tool_name, input }: Ask): string | undefined {
  if (tool_name !== "ExitPlanMode") return undefined;
  const { plan } = objectFrom(input);
  return typeof plan === "string" ? plan : "";
}

function questionFrom({
  question,
  header,
  multiSelect,
  options,
}: z.infer<typeof Questions>[number]): Question {
  return {
    question,
    ...(header !== undefined && { header }),
    ...(multiSelect !== undefined && { multi_select: multiSelect }),
    options,
  };
}

/** The SDK's words in the protocol's spelling. */
function contextFrom(context: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(context).map(([key, value]) => [
      key.replaceAll(/[A-Z]+/g, (capitals) => `_${capitals.toLowerCase()}`),
      value,
    ]),
  );
}
