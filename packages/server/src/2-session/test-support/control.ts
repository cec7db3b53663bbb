import {
  type Capabilities,
  type CatalogEntry,
  type Control,
  draft,
  type EventDraft,
  foldControl,
  initialControl,
  noCapabilities,
  type SessionEvent,
} from "@turnwire/protocol";

/** A runtime that can do everything a decision asks for. */
export const everyCapability: Capabilities = {
  ...noCapabilities,
  interrupt: true,
  steer: true,
  resume: true,
  permissions: true,
  edit_tool_input: true,
  tool_policy: true,
  revoke_permissions: true,
  questions: true,
  hooks: true,
  images: true,
  documents: true,
  components: true,
  frontend_tools: true,
  shared_state: true,
  tool_input_stream: true,
  set_model: true,
  set_effort: true,
  set_permission_mode: true,
  stop_task: true,
  review: true,
  context_usage: true,
  reconnect_mcp: true,
  fork: true,
  rollback: true,
  compact: true,
  permission_modes: ["default", "bypass"],
  admin_modes: ["bypass"],
  efforts: ["low", "high"],
  unavailable_modes: { locked: "there is no key" },
};

const inTurn = { turn_id: "t1" };

export function readyWith(capabilities: Capabilities, catalog?: CatalogEntry[]): EventDraft {
  return draft("session_ready", {
    session_id: "s",
    protocol_version: "1.0",
    runtime: "scripted",
    capabilities,
    ...(catalog && { catalog }),
  });
}

export function messageOf(messageId: string, text = "hi"): EventDraft {
  const content = [{ type: "text" as const, text }];
  return draft("user_message", { message_id: messageId, content, delivery: "turn" });
}

/** The message m1 and its turn t1, which runs. */
export const runningTurn: readonly EventDraft[] = [
  messageOf("m1"),
  draft("turn_started", { turn_id: "t1", message_id: "m1" }, inTurn),
];

/** One open request of each type, all with the id r1, asked in turn t1. */
export const openRequestDrafts = {
  permission: draft(
    "permission_request",
    { correlation_id: "r1", tool_name: "Bash", tool_input: { command: "ls" } },
    inTurn,
  ),
  question: draft(
    "question_request",
    { correlation_id: "r1", questions: [{ question: "Which?", options: [{ label: "A" }] }] },
    inTurn,
  ),
  hook: draft(
    "hook_request",
    { correlation_id: "r1", hook_event: "PreToolUse", hook_input: {} },
    inTurn,
  ),
  interrupt: draft(
    "interrupt",
    { interrupt_id: "r1", component_name: "form", props: {}, surface: "chat" },
    inTurn,
  ),
  tool_call: draft(
    "tool_call_request",
    { correlation_id: "r1", tool_name: "pick_file", input: {} },
    inTurn,
  ),
};

/** The drafts in the places that a log would give them. */
export function eventsOf(...drafts: readonly EventDraft[]): SessionEvent[] {
  return drafts.map((event, index) => ({
    seq: index + 1,
    ts: "2026-01-01T00:00:00.000Z",
    ...event,
  }));
}

/** The control after these events. */
export function controlAfter(...drafts: readonly EventDraft[]): Control {
  return eventsOf(...drafts).reduce(foldControl, initialControl());
}
