import type { EventType, SessionEvent } from "@turnwire/protocol";
import { eventFrom } from "@turnwire/log";
import { restoreEvent } from "../record/restore.ts";
import type { Recorder } from "../record/recorder.ts";
import { readPages } from "../decide/turn-list.ts";

/** What an agent that was there before is recognized by: its lines, its turns, and what was asked and answered. */
const telling: ReadonlySet<string> = new Set<EventType>([
  "native_line",
  "turn_started",
  "permission_request",
  "permission_resolved",
  "question_request",
  "question_resolved",
]);

/** What of a session's log a runtime needs to follow an agent again that was there before, oldest first and whole. */
export async function* agentPast({ log }: Pick<Recorder, "log">): AsyncGenerator<SessionEvent> {
  await log.settled;
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      if (!telling.has(stored.type)) continue;
      yield await restoreEvent(eventFrom(log.sessionId, stored), log);
    }
  }
}
