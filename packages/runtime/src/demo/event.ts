import { draft, type EventDraft } from "@turnwire/protocol";
import type { DemoMessage, DemoMessageOf } from "./stage/message.ts";

/** The messages that open or close something: only the normalizer's memory can translate them. */
const statefulTypes = [
  "text",
  "thought",
  "message_end",
  "tool_begin",
  "tool_end",
  "task",
  "turn_end",
] as const satisfies readonly DemoMessage["type"][];

type StatelessMessage = Exclude<DemoMessage, { type: (typeof statefulTypes)[number] }>;

/** Whether a message says the same whatever came before. */
export function isStateless(message: DemoMessage): message is StatelessMessage {
  return !statefulTypes.some((type) => type === message.type);
}

/** Where an event belongs: under its sub-agent, or nowhere special. */
export function placeOf(message: { agent?: string | undefined }): { subagent_id?: string } {
  return message.agent === undefined ? {} : { subagent_id: message.agent };
}

/** Translates a message that needs no memory, one to one. */
export function eventFromMessage(message: StatelessMessage): EventDraft {
  switch (message.type) {
    case "hello":
      return draft("session_updated", { provider_session_id: message.session });
    case "tool_typing": {
      const { message: message_id, tool_use: tool_use_id, tool, json: partial_json } = message;
      const data = { message_id, tool_use_id, tool, partial_json };
      return draft("tool_input_delta", data, placeOf(message));
    }
    case "tool_print": {
      const data = { tool_use_id: message.tool_use, text: message.text };
      return draft("tool_output", data, placeOf(message));
    }
    case "policy":
      return draft("policy_decision", message.decision, placeOf(message));
    case "ask":
      return requestFromAsk(message);
    case "component": {
      const { id, name, surface, props, merge } = message;
      return draft("component_update", { component_id: id, name, surface, props, merge });
    }
    case "component_gone":
      return draft("component_remove", { component_id: message.id });
    case "state":
      return draft("state_snapshot", { state: message.state });
    case "state_change":
      return draft("state_delta", { patches: message.patches });
    case "plan": {
      const { type: _, ...data } = message;
      return draft("plan", data);
    }
    case "diff":
      return draft("diff", { unified: message.unified });
    case "usage":
      return draft("usage", { ...message.usage, total_cost_usd: message.cost });
    case "progress":
      return draft("usage", { turn_tokens: message.tokens, turn_cost_usd: message.cost });
    case "rate_limits":
      return draft("rate_limits", { limits: message.limits });
    case "account":
      return draft("session_updated", { account: message.account });
    case "context":
      return draft("context_usage", message.usage);
    case "mcp":
      return draft("mcp_status", { server_name: message.server, status: message.status });
    case "notice":
      return draft("notice", { level: message.level, text: message.text });
    case "failure": {
      const { code, retryable } = message;
      return draft("error", { code, message: message.message, retryable });
    }
    case "compacted": {
      const { summary, before, after } = message;
      return draft("compacted", { summary, tokens_before: before, tokens_after: after });
    }
  }
}

function requestFromAsk(message: DemoMessageOf<"ask">): EventDraft {
  const { id, ask } = message;
  const place = placeOf(message);
  switch (ask.type) {
    case "permission": {
      const { type: _, tool, input, tool_use, reason, suggestions, policy } = ask;
      const data = {
        correlation_id: id,
        tool_name: tool,
        tool_input: input,
        ...(tool_use !== undefined && { tool_use_id: tool_use }),
        ...(reason !== undefined && { context: { reason } }),
        ...(suggestions && { suggestions }),
        ...(policy && { policy }),
      };
      return draft("permission_request", data, place);
    }
    case "question":
      return draft("question_request", { correlation_id: id, questions: ask.questions }, place);
    case "hook": {
      const data = { correlation_id: id, hook_event: ask.event, hook_input: ask.input };
      return draft("hook_request", data, place);
    }
    case "component": {
      const { name, props, surface } = ask;
      return draft("interrupt", { interrupt_id: id, component_name: name, props, surface }, place);
    }
    case "frontend_tool": {
      const data = { correlation_id: id, tool_name: ask.tool, input: ask.input };
      return draft("tool_call_request", data, place);
    }
  }
}
