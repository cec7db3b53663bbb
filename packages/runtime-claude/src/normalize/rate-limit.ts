import { draft, type EventDraft, type RateLimit } from "@turnwire/protocol";
import type { ClaudeMessageOf } from "./message.ts";

type RateLimitInfo = ClaudeMessageOf<"rate_limit_event">["rate_limit_info"];
type Window = Pick<RateLimitInfo, "status" | "utilization" | "resetsAt">;

const labels: Readonly<Record<string, string>> = {
  five_hour: "5-hour limit",
  seven_day: "7-day limit",
  seven_day_opus: "7-day limit for Opus",
  seven_day_sonnet: "7-day limit for Sonnet",
  seven_day_overage_included: "7-day limit with extra usage",
  overage: "Extra usage",
};

/** The limits of a claude.ai subscription: the one that decides, and with 2.1.328 all others too (fixture `rate-limits`). */
export function rateLimitsFrom(message: ClaudeMessageOf<"rate_limit_event">): EventDraft {
  const { rateLimitType = "limit", unifiedWindows, ...decisive } = message.rate_limit_info;
  const windows: [string, Window][] = Object.entries({
    ...unifiedWindows,
    [rateLimitType]: decisive,
  });
  return draft("rate_limits", { limits: windows.map(limitFrom) });
}

function limitFrom([name, { status, utilization, resetsAt }]: [string, Window]): RateLimit {
  return {
    limit_id: name,
    label: Object.hasOwn(labels, name) ? (labels[name] ?? name) : name,
    status: statusFrom(status),
    ...(utilization !== undefined && { used_percent: Math.round(utilization * 100) }),
    ...(resetsAt !== undefined && { resets_at: new Date(resetsAt * 1000).toISOString() }),
  };
}

function statusFrom(status: string): RateLimit["status"] {
  if (status === "rejected") return "reached";
  return status === "allowed_warning" ? "warning" : "allowed";
}
