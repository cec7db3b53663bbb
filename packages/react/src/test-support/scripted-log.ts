import type { Fetch } from "@turnwire/client";
import {
  draft,
  foldAll,
  initialState,
  noCapabilities,
  type EventDraft,
  type SessionEvent,
} from "@turnwire/protocol";

export const epoch = "scripted";

/** Events in the places that a log would give them. */
export function logOf(drafts: readonly EventDraft[]): SessionEvent[] {
  return drafts.map((event, index) => ({
    seq: index + 1,
    ts: "2026-11-15T09:00:00.000Z",
    ...event,
  }));
}

export const ready = draft("session_ready", {
  session_id: "scripted",
  protocol_version: "1.0",
  runtime: "demo",
  capabilities: noCapabilities,
});

/** A turn of one user message and one answer, whose deltas are as given. */
export function turnOf(turn_id: string, texts: readonly string[]): EventDraft[] {
  const place = { turn_id };
  const message_id = `${turn_id}-question`;
  const content = [{ type: "text" as const, text: "Well?" }];
  return [
    draft("user_message", { message_id, content, delivery: "queue" }),
    draft("turn_started", { turn_id, message_id }, place),
    ...texts.map((text) => draft("delta", { message_id: `${turn_id}-answer`, text }, place)),
    draft("done", { turn_id }, place),
  ];
}

/** A server of one log: a snapshot at `start`, then each later event in a chunk of its own. */
export function fetchLog(events: readonly SessionEvent[], start: number): Fetch {
  const headers = new Map([
    ["content-type", "text/event-stream"],
    ["turnwire-epoch", epoch],
  ]);
  const answer = (body: string) => ({
    ok: true,
    status: 200,
    headers: { get: (name: string) => headers.get(name) ?? null },
    text: async () => body,
  });
  return async (url, { signal }) => {
    if (url.includes("/snapshot")) {
      const state = foldAll(initialState(), events.slice(0, start));
      return { ...answer(JSON.stringify({ seq: start, epoch, state })), body: null };
    }
    const frames = framesOf(events.slice(start), signal);
    const read = async () => {
      const { done = false, value } = await frames.next();
      return { done, value };
    };
    return { ...answer(""), body: { getReader: () => ({ read }) } };
  };
}

async function* framesOf(
  events: readonly SessionEvent[],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, undefined> {
  const encoder = new TextEncoder();
  for (const event of events) {
    await new Promise(setImmediate);
    yield encoder.encode(
      `id: ${event.seq}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`,
    );
  }
  await new Promise((resolve) => signal.addEventListener("abort", resolve));
}
