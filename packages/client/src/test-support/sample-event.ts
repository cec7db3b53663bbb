import {
  noCapabilities,
  toolCallClaimMs,
  type EventDraft,
  type SessionEvent,
} from "@turnwire/protocol";

const ts = "2026-11-15T09:00:00.000Z";

/** Gives drafts their places in a log, from `after` on. */
export function placed(drafts: readonly EventDraft[], after = 0): SessionEvent[] {
  return drafts.map((draft, index) => ({ seq: after + index + 1, ts, ...draft }));
}

export const ready: EventDraft = {
  type: "session_ready",
  data: {
    session_id: "s1",
    protocol_version: "1.0",
    runtime: "demo",
    capabilities: { ...noCapabilities, interrupt: true, permissions: true },
  },
};

export const closed: EventDraft = { type: "session_closed", data: { reason: "deleted" } };

export function notice(text = "hello"): EventDraft {
  return { type: "notice", data: { level: "info", text } };
}

export function userMessage(text: string, clientMessageId?: string): EventDraft {
  return {
    type: "user_message",
    data: {
      message_id: `m-${text}`,
      content: [{ type: "text", text }],
      delivery: "turn",
      ...(clientMessageId !== undefined && { client_message_id: clientMessageId }),
    },
  };
}

export function turnStarted(turnId: string): EventDraft {
  return { type: "turn_started", data: { turn_id: turnId }, turn_id: turnId };
}

export function done(turnId: string): EventDraft {
  return { type: "done", data: { turn_id: turnId }, turn_id: turnId };
}

export function permissionAsked(correlationId: string): EventDraft {
  return {
    type: "permission_request",
    data: { correlation_id: correlationId, tool_name: "Bash", tool_input: { command: "ls" } },
  };
}

export function permissionResolved(
  correlationId: string,
  outcome: "answered" | "expired" | "cancelled" | "orphaned" = "answered",
): EventDraft {
  return {
    type: "permission_resolved",
    data: { correlation_id: correlationId, tool_name: "Bash", allowed: true, outcome },
  };
}

export function toolCalled(correlationId: string, tool = "choose"): EventDraft {
  return {
    type: "tool_call_request",
    data: { correlation_id: correlationId, tool_name: tool, input: correlationId },
  };
}

export function toolCallClaimed(correlationId: string, claimId: string): EventDraft {
  const expires_at = new Date(Date.parse(ts) + toolCallClaimMs).toISOString();
  return {
    type: "tool_call_claimed",
    data: { correlation_id: correlationId, claim_id: claimId, expires_at },
  };
}

export function toolCallResolved(correlationId: string): EventDraft {
  return {
    type: "tool_call_resolved",
    data: { correlation_id: correlationId, outcome: "answered" },
  };
}

/** A log of so many events, all of them notices but the first. */
export function sampleLog(length: number): SessionEvent[] {
  return placed([ready, ...Array.from({ length: length - 1 }, (_, index) => notice(`n${index}`))]);
}
