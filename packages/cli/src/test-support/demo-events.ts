import { draft, type EventDraft, type SessionEvent } from "@turnwire/protocol";
import { demo } from "@turnwire/runtime/demo";

/** The events of one turn of the demo agent, as a log would have them; it may ask nothing. */
export async function demoEvents(text: string): Promise<readonly SessionEvent[]> {
  const runtime = demo({ delayMs: 0 });
  const run = await runtime.createRun({ sessionId: "session", cwd: "/" });
  const content = [{ type: "text" as const, text }];
  const drafts: EventDraft[] = [
    draft("user_message", { message_id: "said", content, delivery: "turn" }),
    draft("turn_started", { turn_id: "turn", message_id: "said" }),
  ];
  await run.send({ turnId: "turn", messageId: "said", content });
  let state = runtime.normalizer.initial();
  for await (const message of run.messages) {
    const [next, events] = runtime.normalizer.step(state, message);
    state = next;
    drafts.push(...events);
    if (events.some(({ type }) => type === "done")) break;
  }
  await run.close();
  return logOf(drafts, "turn");
}

/** Drafts as a log would keep them, in the turn unless they say otherwise. */
export function logOf(drafts: readonly EventDraft[], turnId: string): SessionEvent[] {
  const ts = "2026-11-15T09:00:00.000Z";
  return drafts.map((each, index) =>
    Object.assign({ turn_id: turnId }, each, { seq: index + 1, ts }),
  );
}
