import type { RunOptions } from "../../1-runtime/runtime.ts";
import { isRequestIdUsed } from "../decide/admit.ts";
import { agentPast } from "./agent-past.ts";
import { maxTurnsOf } from "./attached-run.ts";
import { readUnfinishedTurns } from "./unfinished-turns.ts";
import type { SessionAgentOptions } from "./session-agent.ts";

/** What a run is started with, as everything is at this moment. */
export async function prepareRun(session: SessionAgentOptions) {
  const { runtime, recorder, runOptions, configuration, gate, ui, transcripts } = session;
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
    ...(transcripts && { transcripts }),
    isRequestIdUsed: (id) => isRequestIdUsed(recorder.control, id),
    past: () => agentPast(recorder),
    unfinishedTurns: () => readUnfinishedTurns(recorder.log),
  };
  return { options, applied, maxTurns };
}
