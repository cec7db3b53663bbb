import {
  type Command,
  type Control,
  type JsonObject,
  type Principal,
  requestOf,
  type Result,
} from "@turnwire/protocol";
import { defined } from "@turnwire/base";
import type { AuditAct } from "./audit-log.ts";

/** The act that a command to a session is, without its outcome; undefined for what no audit asks about. */
export function commandAct(
  { session, ...control }: Control,
  command: Command,
  { id: principal, address, token }: Principal,
): Omit<AuditAct, "outcome"> | undefined {
  const details = detailsOf({ session, ...control }, command);
  const by = defined({ by_token: token?.id });
  return details && { action: command.type, principal, address, details: { ...details, ...by } };
}

export function outcomeOf(result: Result<unknown>): string {
  return result.ok ? "accepted" : result.error.code;
}

/** Names and choices only: inputs of tools may hold secrets. */
function detailsOf(control: Control, command: Command): JsonObject | undefined {
  switch (command.type) {
    case "permission_response": {
      const { correlation_id, behavior, updated_input, updated_permissions } = command;
      const request = requestOf(control, correlation_id);
      const asked = request?.type === "permission_request" ? request.data : undefined;
      return {
        correlation_id,
        behavior,
        ...defined({ tool: asked?.tool_name }),
        // What a policy asked about, a person has decided instead of it.
        ...defined({ policy_mode: asked?.policy?.mode, policy_rule: asked?.policy?.rule }),
        ...(updated_input !== undefined && { has_changed_input: true }),
        ...(updated_permissions !== undefined && { grants: updated_permissions.length }),
      };
    }
    case "set_policy_mode":
    case "set_permission_mode":
      return { mode: command.mode };
    case "revoke_permission":
    case "set_budget":
    case "budget_response":
    case "archive":
    case "unarchive":
      return {};
    default:
      return undefined;
  }
}
