import { defined } from "@turnwire/base";
import { type JsonValue, type SessionEvent, textFromContent } from "@turnwire/protocol";

function json(value: JsonValue | undefined): string {
  if (value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

function words(...parts: readonly (string | number | boolean | null | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== null && part !== "").join(" ");
}

/** What an event says, in a few words; not yet safe for a terminal. */
export function eventSummary(event: SessionEvent): string {
  switch (event.type) {
    case "session_ready":
      return words(event.data.session_id, event.data.runtime, event.data.model, event.data.cwd);
    case "session_updated": {
      const { title, model, permission_mode, policy_mode, status } = event.data;
      return json({
        ...defined({ title, model, permission_mode, policy_mode, status }),
      });
    }
    case "session_closed":
      return event.data.reason;
    case "user_message":
      return words(`(${event.data.delivery})`, textFromContent(event.data.content));
    case "message_deferred":
    case "message_cancelled":
      return event.data.message_id;
    case "turn_started":
      return event.data.turn_id;
    case "result":
      return words(event.data.is_error ? "failed:" : "", event.data.subtype, event.data.text);
    case "done":
      return words(event.data.turn_id, event.data.stopped ? "stopped" : "");
    case "rolled_back":
      return event.data.turn_id;
    case "compacted":
      return words(event.data.tokens_before, "→", event.data.tokens_after, event.data.summary);
    case "delta":
      return event.data.text;
    case "thinking":
      return words(event.data.text, event.data.done ? "(thought)" : "");
    case "message_complete":
      return event.data.message_id;
    case "tool_input_delta":
      return words(event.data.tool, event.data.partial_json);
    case "tool_start":
      return words(event.data.tool, event.data.command ?? json(event.data.input));
    case "tool_output":
      return event.data.text;
    case "tool_result": {
      const { is_error, exit_code, output } = event.data;
      return words(is_error ? "failed" : "", exit_code ? `exit ${exit_code}` : "", json(output));
    }
    case "policy_decision": {
      const { verdict, tool, rule, reason } = event.data;
      return words(verdict, tool, `(${rule})`, reason);
    }
    case "permission_request":
      return words(event.data.tool_name, json(event.data.tool_input));
    case "permission_resolved": {
      const { tool_name, allowed, outcome, message } = event.data;
      return words(outcome, tool_name, allowed ? "allowed" : "denied", message);
    }
    case "permission_granted":
      return words(event.data.tool_name, json(event.data.permission));
    case "permission_revoked":
      return event.data.grant_ids.join(", ");
    case "question_request":
      return event.data.questions.map(({ question }) => question).join(" / ");
    case "question_resolved":
      return words(event.data.outcome, json(event.data.answers));
    case "hook_request":
      return words(event.data.hook_event, json(event.data.hook_input));
    case "hook_resolved":
      return words(event.data.outcome, json(event.data.decision));
    case "interrupt":
      return words(event.data.component_name, json(event.data.props));
    case "interrupt_resolved":
      return words(event.data.outcome, json(event.data.value));
    case "tool_call_request":
      return words(event.data.tool_name, json(event.data.input));
    case "tool_call_claimed":
      return words(event.data.correlation_id, event.data.claim_id);
    case "tool_call_resolved":
      return words(event.data.outcome, json(event.data.output));
    case "budget_request":
      return words("reached:", event.data.reached.join(", "), json(event.data.used));
    case "budget_resolved":
      return words(event.data.outcome, event.data.decision);
    case "component_update":
      return words(event.data.name, `(${event.data.surface})`, json(event.data.props));
    case "component_remove":
      return event.data.component_id;
    case "component_callback":
      return words(event.data.component_id, event.data.action, json(event.data.payload));
    case "catalog_updated":
      return event.data.entries.map(({ name }) => name).join(" ");
    case "state_snapshot":
      return json(event.data.state);
    case "state_delta":
      return json(event.data.patches);
    case "plan":
      return event.data.steps.map(({ text, status }) => `[${status}] ${text}`).join(" ");
    case "diff":
      return event.data.unified;
    case "usage":
      return words(event.data.input_tokens, "in", event.data.output_tokens, "out");
    case "task":
      return words(
        event.data.task_id,
        event.data.status,
        event.data.summary ?? event.data.description,
      );
    case "mcp_status":
      return words(event.data.server_name, event.data.status);
    case "rate_limits":
      return event.data.limits
        .map(({ label, used_percent, resets_at }) =>
          words(
            label,
            used_percent === undefined ? "" : `${used_percent} %`,
            resets_at === undefined ? "" : `until ${resets_at}`,
          ),
        )
        .join(", ");
    case "context_usage":
      return words(event.data.total_tokens, "of", event.data.max_tokens, "tokens");
    case "notice":
      return words(`${event.data.level}:`, event.data.text);
    case "error":
      return words(`${event.data.code}:`, event.data.message);
    case "native":
      return words(event.data.source, json(event.data.payload));
    case "native_line":
      return words(event.data.direction === "to_agent" ? "→" : "←", event.data.line);
    default:
      return unknownSummary(event);
  }
}

/** A newer server may send types that this version does not know. */
function unknownSummary(event: never): string {
  const { data }: { data?: JsonValue } = event;
  return json(data);
}
