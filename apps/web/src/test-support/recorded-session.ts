import { draft, noCapabilities, type EventDraft, type SessionEvent } from "@turnwire/protocol";
import type { Store } from "@turnwire/server";

/** A draft that may name what is stored beside the log. */
export type RecordedDraft = EventDraft & Pick<SessionEvent, "attachments">;

const TS = "2026-11-15T09:00:00.000Z";

/** Writes a session into a store as if an agent had said all that; answers with its id. */
export async function recordSession(
  store: Store,
  drafts: readonly RecordedDraft[],
  attachments: Parameters<Store["append"]>[0]["attachments"] = [],
): Promise<string> {
  const sessionId = "recorded";
  const record = {
    sessionId,
    owner: "local",
    epoch: "recorded",
    runtime: "demo",
    options: {},
    status: "hibernated",
    activity: "idle",
    title: "Recorded",
    cwd: "/",
    createdAt: TS,
    updatedAt: TS,
    head: 0,
    trimmed: 0,
  } as const;
  const { generation } = await store.createSession(record, "recorder", 60_000);
  const ready = draft("session_ready", {
    session_id: sessionId,
    protocol_version: "1.0",
    runtime: "demo",
    cwd: "/",
    capabilities: noCapabilities,
  });
  const events = [ready, ...drafts].map((event, index) => {
    const seq = index + 1;
    return { seq, type: event.type, json: JSON.stringify({ seq, ts: TS, ...event }) };
  });
  await store.append({ sessionId, generation, events, attachments });
  await store.releaseLease(sessionId, generation);
  return sessionId;
}

/** A turn that answers “go on” with these events. */
export function turn(turn_id: string, said: readonly RecordedDraft[]): RecordedDraft[] {
  const message_id = `${turn_id}-message`;
  const content = [{ type: "text" as const, text: "go on" }];
  return [
    draft("user_message", { message_id, content, delivery: "turn" }),
    draft("turn_started", { turn_id, message_id }, { turn_id }),
    ...said.map((event) => ({ ...event, turn_id })),
    draft("result", { turn_id, subtype: "success", is_error: false }, { turn_id }),
    draft("done", { turn_id }, { turn_id }),
  ];
}

/** What the agent says in one go. */
export function says(text: string, message_id = "said"): EventDraft {
  return draft("delta", { message_id, text });
}

interface ToolUse {
  readonly id: string;
  readonly tool: string;
  readonly start?: Partial<Parameters<typeof draft<"tool_start">>[1]>;
  readonly result?: Partial<Parameters<typeof draft<"tool_result">>[1]>;
}

/** A tool call from its start to its result. */
export function uses({ id, tool, start, result }: ToolUse): EventDraft[] {
  const tool_use_id = id;
  return [
    draft("tool_start", { message_id: "said", tool_use_id, tool, ...start }),
    draft("tool_result", { tool_use_id, output: "", is_error: false, ...result }),
  ];
}
