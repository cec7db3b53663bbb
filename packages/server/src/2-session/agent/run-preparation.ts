import { defined } from "@turnwire/base";
import type { RunOptions } from "@turnwire/runtime";
import { isRequestIdUsed } from "../decide/admit.ts";
import { maxTurnsOf } from "./attached-run.ts";
import { readUnfinishedTurns } from "./unfinished-turns.ts";
import type { SessionAgentOptions } from "./session-agent.ts";
import type { EventType, SessionEvent } from "@turnwire/protocol";
import { eventFrom, restoreEvent } from "@turnwire/log";
import type { Recorder } from "../record/recorder.ts";
import { readPages } from "../decide/turn-list.ts";

/** What a run is started with, as everything is at this moment. */
export async function prepareRun(session: SessionAgentOptions) {
  const { runtime, recorder, runOptions, configuration, gate, ui } = session;
  const { transcripts, conversation } = session;
  const given = await runOptions(recorder.control);
  const applied = await configuration.apply(given.cwd);
  await gate.prepare();
  const maxTurns = maxTurnsOf(runtime, gate);
  const options: RunOptions = {
    ...(maxTurns !== undefined && { maxTurns }),
    ...given,
    ...(applied && { project: applied.access }),
    gate,
    ui,
    ...defined({ transcripts, conversation }),
    isRequestIdUsed: (id) => isRequestIdUsed(recorder.control, id),
    past: () => agentPast(recorder),
    unfinishedTurns: () => readUnfinishedTurns(recorder.log),
  };
  return { options, applied, maxTurns };
}

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
async function* agentPast({ log }: Pick<Recorder, "log">): AsyncGenerator<SessionEvent> {
  await log.settled;
  for await (const page of readPages(log, log.head)) {
    for (const stored of page) {
      if (!telling.has(stored.type)) continue;
      yield await restoreEvent(eventFrom(log.sessionId, stored), log);
    }
  }
}
