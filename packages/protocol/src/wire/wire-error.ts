import * as z from "zod";
import { JsonValue } from "../json/json.ts";

/** Every code a wire error can have, with the HTTP status that carries it. */
export const wireErrorStatus = {
  invalid_request: 400,
  invalid_catalog: 400,
  invalid_cursor: 400,
  runtime_unknown: 400,
  unknown_policy_mode: 400,
  unauthorized: 401,
  forbidden: 403,
  origin_not_allowed: 403,
  cwd_not_allowed: 403,
  policy_loosening_not_allowed: 403,
  not_found: 404,
  session_not_found: 404,
  request_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  already_claimed: 409,
  already_resolved: 409,
  budget_reached: 409,
  capability_missing: 409,
  catalog_conflict: 409,
  command_lost: 409,
  component_gone: 409,
  idempotency_conflict: 409,
  session_exists: 409,
  session_archived: 409,
  session_damaged: 409,
  stale_state: 409,
  trust_changed: 409,
  turn_running: 409,
  turn_not_running: 409,
  workspace_unavailable: 409,
  worktree_failed: 409,
  cursor_gone: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  host_not_allowed: 421,
  policy_denied: 422,
  rate_limited: 429,
  queue_full: 429,
  internal: 500,
  runtime_unavailable: 503,
  sandbox_unavailable: 503,
  store_unavailable: 503,
  overloaded: 503,
  shutting_down: 503,
} as const;

export type WireErrorCode = keyof typeof wireErrorStatus;

export const WireErrorCode = z.enum(
  Object.keys(wireErrorStatus) as [WireErrorCode, ...WireErrorCode[]],
);

/** An error as data: what every failed request answers, and what every rejected command is. */
export const WireError = z
  .object({
    code: WireErrorCode.describe("What went wrong, for programs."),
    message: z.string().describe("What went wrong, for people."),
    retryable: z.boolean().describe("Whether the same request may succeed later."),
    details: z
      .record(z.string(), JsonValue)
      .optional()
      .describe("More for programs, depending on the code."),
  })
  .meta({ id: "WireError" });
export type WireError = z.infer<typeof WireError>;

/** The body of every failed request. `detail` repeats the message where agent-webkit clients look for it. */
export const WireErrorBody = z.object({
  error: WireError.describe("The error."),
  detail: z.string().optional().describe("The message again, for agent-webkit clients."),
});
export type WireErrorBody = z.infer<typeof WireErrorBody>;

const retryableCodes: ReadonlySet<WireErrorCode> = new Set([
  "request_timeout",
  "rate_limited",
  "queue_full",
  "store_unavailable",
  "overloaded",
  "shutting_down",
]);

/** Builds a wire error; whether a retry can help follows from the code. */
export function wireError(
  code: WireErrorCode,
  message: string,
  details?: WireError["details"],
): WireError {
  const retryable = retryableCodes.has(code);
  return details ? { code, message, retryable, details } : { code, message, retryable };
}
