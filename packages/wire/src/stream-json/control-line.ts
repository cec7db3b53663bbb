import type { Control, JsonValue, Result } from "@turnwire/protocol";
import { isAsked, requestLine } from "./request.ts";

/** The answer to a `control_request` of a client. */
export function controlResponse(requestId: string, outcome: Result<object>): string {
  const response = outcome.ok
    ? { subtype: "success", request_id: requestId, response: outcome.value }
    : { subtype: "error", request_id: requestId, error: outcome.error.message };
  return JSON.stringify({ type: "control_response", response });
}

/** What a client learns by `initialize`, with the requests that are open. */
export function initializeResponse({ session, requests }: Control): object {
  const { slash_commands, models } = session.capabilities;
  return {
    commands: slash_commands.map(({ name, description = "" }) => ({
      name,
      description,
      argumentHint: "",
    })),
    models: models.map(({ id, label = id, description = "" }) => ({
      value: id,
      displayName: label,
      description,
    })),
    agents: [],
    output_style: "default",
    available_output_styles: ["default"],
    account: {},
    pending_permission_requests: Object.values(requests).filter(isAsked).map(requestLine),
  };
}

/** The id of a `control_request`; any other line has none. */
export function controlRequestId(line: Readonly<Record<string, unknown>>): string | undefined {
  const { type, request_id: id } = line;
  return type === "control_request" && typeof id === "string" ? id.slice(0, 200) : undefined;
}

export function isInitialize(line: Readonly<Record<string, unknown>>): boolean {
  const { type, request } = line as { type?: unknown; request?: { subtype?: JsonValue } | null };
  return type === "control_request" && request?.subtype === "initialize";
}
