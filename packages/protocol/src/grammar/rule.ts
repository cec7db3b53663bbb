import type { SessionEvent } from "../event/event.ts";

/** The rules that a log can break. */
export type GrammarRule =
  | "seq_not_contiguous"
  | "not_ready_first"
  | "event_after_close"
  | "turn_open_at_close"
  | "request_open_at_close"
  | "message_repeated"
  | "message_not_waiting"
  | "steer_without_turn"
  | "message_not_steering"
  | "rollback_in_turn"
  | "turn_overlaps"
  | "turn_repeated"
  | "turn_unknown"
  | "turn_not_running"
  | "request_repeated"
  | "request_not_open"
  | "claim_overlaps"
  | "request_open_at_done"
  | "message_completed_before"
  | "message_text_missing"
  | "tool_repeated"
  | "tool_unknown"
  | "subagent_unknown";

export interface Broken {
  readonly rule: GrammarRule;
  readonly message: string;
}

/** Rules about one thing, with what they remember of the log. */
export interface RuleSet {
  check(event: SessionEvent): Broken[];
}

export function unless(holds: boolean, rule: GrammarRule, message: string): Broken[] {
  return holds ? [] : [{ rule, message }];
}
