import { draft, type EventDraft, type OpenRequest, resolutionOf } from "@turnwire/protocol";
import { chosen } from "./choice.ts";
import type { Wish } from "./wish.ts";

const outcomes = ["cancelled", "answered", "expired", "orphaned"] as const;

/** A request of the kind that the wish picks. */
export function requestDraft(
  id: string,
  { pick, text }: Wish,
  tool_use_id: string | undefined,
): EventDraft {
  switch (pick % 6) {
    case 0:
      return draft("permission_request", {
        correlation_id: id,
        tool_name: "Bash",
        tool_input: { command: text },
        ...(tool_use_id !== undefined && { tool_use_id }),
      });
    case 1: {
      const questions = [{ question: text, options: [] }];
      return draft("question_request", { correlation_id: id, questions });
    }
    case 2:
      return draft("hook_request", { correlation_id: id, hook_event: "Stop", hook_input: {} });
    case 3:
      return draft("tool_call_request", { correlation_id: id, tool_name: "map", input: {} });
    case 4:
      return draft("budget_request", {
        correlation_id: id,
        reached: ["turns"],
        allowed: { turns: 1 },
        used: { tokens: 0, cost_usd: 0, worked_ms: 0, turns: 1 },
      });
    default: {
      const surface = pick > 5 ? "sidebar" : "chat";
      const props = { text };
      return draft("interrupt", { interrupt_id: id, component_name: "confirm", props, surface });
    }
  }
}

/** The end of a request, with the outcome that is picked. */
export function resolutionDraft(request: OpenRequest, pick: number): EventDraft {
  const outcome = chosen(outcomes, pick) ?? "answered";
  const isEven = pick % 2 === 0;
  return resolutionOf(request, {
    outcome,
    ...(request.type === "permission_request" && { allowed: isEven }),
    ...(request.type === "permission_request" &&
      pick % 4 === 0 && { updated_input: { command: "other" } }),
    ...(request.type === "budget_request" && { decision: isEven ? "stop" : "raise" }),
  });
}
