import {
  limits,
  type CommandOf,
  type Control,
  draft,
  rejected,
  requestOf,
} from "@turnwire/protocol";
import type { Decision, DecisionContext } from "./decide.ts";
import { notOpen } from "./answer.ts";
import { placeOf } from "./resolve.ts";

/** The first page that claims an open tool call performs it, until its claim runs out or is renewed by it. */
export function decideClaim(
  control: Control,
  { correlation_id, claim_id }: CommandOf<"tool_call_claim">,
  { by, now }: DecisionContext,
): Decision {
  const request = requestOf(control, correlation_id);
  if (!request) return notOpen(control, correlation_id);
  if (request.type !== "tool_call_request") {
    return rejected(
      "invalid_request",
      `Request ${correlation_id} is a ${request.type}: only a tool call can be claimed.`,
      { id: correlation_id },
    );
  }
  const { claim } = request;
  const leftMs = claim ? Date.parse(claim.expires_at) - now : 0;
  if (claim && claim.claim_id !== claim_id && leftMs > 0) {
    const { expires_at } = claim;
    return rejected(
      "already_claimed",
      `Another page is performing tool call ${correlation_id}; its claim expires at ${expires_at}.`,
      { id: correlation_id, expires_at, left_ms: leftMs },
    );
  }
  if (claim?.claim_id === claim_id && leftMs > limits.claimMs - limits.claimRepeatMs) {
    return { ok: true, events: [], effects: [] };
  }
  const expires_at = new Date(now + limits.claimMs).toISOString();
  const data = { correlation_id, claim_id, expires_at, by };
  return { ok: true, events: [draft("tool_call_claimed", data, placeOf(request))], effects: [] };
}
