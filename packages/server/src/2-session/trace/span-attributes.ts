import type { Attributes } from "@opentelemetry/api";
import {
  type Control,
  type EventData,
  type OpenRequest,
  requestId,
  requestKindOf,
} from "@turnwire/protocol";

/** Names that agents and tools choose may be of any length. */
const MAX_NAME_LENGTH = 200;

export function bounded(name: string): string {
  return name.slice(0, MAX_NAME_LENGTH);
}

/*
 * What spans report: ids, names, counts and outcomes. Nothing that was said, no input and no output of
 * a tool, no path, no question, no person. Where OpenTelemetry has a word for it (gen_ai.*, error.type),
 * that word is used.
 */

export function turnAttributes({ session }: Control, turnId: string): Attributes {
  return {
    "gen_ai.operation.name": "invoke_agent",
    "gen_ai.agent.name": session.runtime,
    "gen_ai.conversation.id": session.session_id,
    ...(session.model !== undefined && { "gen_ai.request.model": bounded(session.model) }),
    "turnwire.turn.id": turnId,
  };
}

export function resultAttributes(data: EventData<"result">): Attributes {
  const { usage, total_cost_usd: cost } = data;
  return {
    "turnwire.turn.result": bounded(data.subtype),
    ...counted("gen_ai.usage.input_tokens", usage?.input_tokens),
    ...counted("gen_ai.usage.output_tokens", usage?.output_tokens),
    ...counted("gen_ai.usage.cache_read.input_tokens", usage?.cache_read_tokens),
    ...counted("gen_ai.usage.cache_creation.input_tokens", usage?.cache_write_tokens),
    ...counted("turnwire.turn.cost_usd", cost),
  };
}

function counted(name: string, value: number | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}

export function toolAttributes(sessionId: string, data: EventData<"tool_start">): Attributes {
  return {
    "gen_ai.operation.name": "execute_tool",
    "gen_ai.conversation.id": sessionId,
    "gen_ai.tool.name": bounded(data.tool),
    "gen_ai.tool.call.id": bounded(data.tool_use_id),
    ...(data.subagent_spawn === true && { "turnwire.tool.is_subagent": true }),
  };
}

export function requestAttributes(sessionId: string, request: OpenRequest): Attributes {
  const tool =
    request.type === "permission_request" || request.type === "tool_call_request"
      ? { "gen_ai.tool.name": bounded(request.data.tool_name) }
      : {};
  return {
    "gen_ai.conversation.id": sessionId,
    "turnwire.request.type": requestKindOf(request),
    "turnwire.request.id": requestId(request),
    ...tool,
  };
}
