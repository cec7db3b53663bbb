import type { OpenToolCall } from "./state.ts";

/**
 * When an open tool call expires, in milliseconds since the epoch, unless a page claims it or renews
 * its claim: the time that the call had at first starts again when its claim ends. Undefined: never.
 */
export function toolCallDeadline({ ts, data, claim }: OpenToolCall): number | undefined {
  if (data.expires_at === undefined) return undefined;
  const expiresAt = Date.parse(data.expires_at);
  if (!claim) return expiresAt;
  return Math.max(expiresAt, Date.parse(claim.expires_at) + expiresAt - Date.parse(ts));
}
