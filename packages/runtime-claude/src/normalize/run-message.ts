import {
  AgentAccount,
  Capabilities,
  ContextUsage,
  eventData,
  JsonObject,
  JsonValue,
  Question,
  RequestPolicy,
  Surface,
} from "@turnwire/protocol";
import * as z from "zod";
import { UiEvent } from "@turnwire/runtime/ui-tool";
import type { ClaudeState } from "./state.ts";

/** What the run says into the agent's stream, in its place between the agent's own messages. */
export const runMessageSchemas = {
  /** A turn was handed over, as the user message with this uuid. */
  "turnwire/turn_sent": z.object({ turn_id: z.string(), uuid: z.string() }),
  /** What people should know of a turn. */
  "turnwire/notice": z.object({ turn_id: z.string(), text: z.string() }),
  /** Something was said into the running turn. */
  "turnwire/steer_sent": z.object({ uuid: z.string() }),
  /** The running turn was asked to stop; the session has cancelled what was open. */
  "turnwire/interrupt_sent": z.looseObject({}),
  /** The agent asks before it uses a tool: `canUseTool` was called. */
  "turnwire/ask": z.object({
    request_id: z.string(),
    tool_name: z.string(),
    input: JsonValue,
    tool_use_id: z.string().optional(),
    /** The sub-agent that asks. */
    agent_id: z.string().optional(),
    suggestions: z.array(JsonObject).optional(),
    /** What the tool would change, where that is known. */
    diff: z.string().optional(),
    /** Why the session's policy asks, where it does. */
    policy: RequestPolicy.optional(),
    /** It was asked before, and the session knows it. */
    is_restored: z.boolean().optional(),
    /** Whatever else `canUseTool` received, in the SDK's words. */
    context: JsonObject.optional(),
  }),
  /** The session's policy decided about the use of a tool. */
  "turnwire/policy_decision": z.object({
    decision: eventData.policy_decision,
    /** The sub-agent that uses the tool. */
    agent_id: z.string().optional(),
  }),
  /** A hook waits for a decision. */
  "turnwire/hook_ask": z.object({
    request_id: z.string(),
    hook_event: z.string(),
    input: JsonValue,
    tool_use_id: z.string().optional(),
  }),
  /** An MCP server asks a person for values, or to open an address. */
  "turnwire/elicitation_ask": z.object({
    request_id: z.string(),
    server_name: z.string(),
    questions: z.array(Question).min(1),
  }),
  /** The agent changes what the UI shows or shares with it. */
  "turnwire/ui": z.object({ event: UiEvent, tool_use_id: z.string().optional() }),
  /** The agent shows a component and waits for what a person does there. */
  "turnwire/interrupt_ask": z.object({
    request_id: z.string(),
    component_name: z.string(),
    props: JsonObject,
    surface: Surface,
    tool_use_id: z.string().optional(),
  }),
  /** The agent uses a tool that the UI performs. */
  "turnwire/call_ask": z.object({
    request_id: z.string(),
    tool_name: z.string(),
    input: JsonValue,
    tool_use_id: z.string().optional(),
  }),
  /** The agent withdrew a request that had no answer. */
  "turnwire/ask_cancelled": z.object({ request_id: z.string() }),
  /** The agent's capabilities and its account, as reported when it started. */
  "turnwire/run_info": z.object({ capabilities: Capabilities, account: AgentAccount.optional() }),
  /** The context by its parts, as it was asked for. */
  "turnwire/context_usage": z.object({ usage: ContextUsage }),
  /** One of the MCP servers was connected again, or `problem` says why not. */
  "turnwire/mcp_servers": z.object({
    server_name: z.string(),
    problem: z.string().optional(),
    servers: z.array(z.object({ name: z.string(), status: z.string() })),
  }),
  /** The CLI, or a person in a terminal, has given the session a title. */
  "turnwire/title": z.object({ title: z.string() }),
  /** A line between us and a CLI that dialled in, with the message that it is where it is one of the conversation. */
  "turnwire/line": z.object({
    line: z.string(),
    direction: z.enum(["from_agent", "to_agent"]),
    message: z.unknown().optional(),
  }),
  /** The CLI was there before this run: what its earlier messages have led to. */
  "turnwire/restored": z.object({ state: z.custom<ClaudeState>((state) => state !== undefined) }),
  /** After a rollback: the id to resume by until the next turn's `system/init` gives another. */
  "turnwire/session_moved": z.object({ provider_session_id: z.string() }),
};

type RunMessageType = keyof typeof runMessageSchemas;

/** A message that the run injects. */
export type RunMessage = {
  [Type in RunMessageType]: { type: Type } & z.infer<(typeof runMessageSchemas)[Type]>;
}[RunMessageType];

/** A message that somebody has to answer. */
export type AskMessage = Extract<RunMessage, { request_id: string; type: `${string}ask` }>;

/** What the SDK passes to `canUseTool` beside tool and input, and our own id of the request. */
export interface AskDetails {
  readonly requestId: string;
  readonly toolUseID: string;
  readonly agentID?: string | undefined;
  readonly suggestions?: readonly object[] | undefined;
  readonly diff?: string | undefined;
  /** Why the session's policy asks, where it does. */
  readonly policy?: RequestPolicy;
  /** It was asked before, and the session knows it. */
  readonly isRestored?: boolean;
  readonly signal: AbortSignal;
}

/** The message for a call of `canUseTool`. */
export function askMessage(toolName: string, input: object, details: AskDetails): AskMessage {
  const {
    requestId,
    toolUseID,
    agentID,
    suggestions,
    diff,
    policy,
    isRestored = false,
    signal: _,
    ...context
  } = details;
  return {
    type: "turnwire/ask",
    request_id: requestId,
    tool_name: toolName,
    input: jsonFrom(input),
    tool_use_id: toolUseID,
    ...(agentID !== undefined && { agent_id: agentID }),
    ...(suggestions && { suggestions: suggestions.map(jsonFrom) }),
    ...(diff !== undefined && { diff }),
    ...(policy && { policy }),
    ...(isRestored && { is_restored: true }),
    context: jsonFrom(context),
  };
}

/** The SDK fills what it does not know with undefined, which JSON cannot carry. */
function jsonFrom(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value)) as JsonObject;
}
