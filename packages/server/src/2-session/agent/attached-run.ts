import { type CommandOf, draft } from "@turnwire/protocol";
import type { BackgroundWork } from "./background-work.ts";
import { type Runtime, RuntimeError } from "@turnwire/runtime";
import type { LiveRun } from "./live-run.ts";
import type { SessionGate } from "../policy/session-gate.ts";
import type { Recorder } from "../record/recorder.ts";
import type { SlotLimit } from "./slot-request.ts";

/** A run that lives or is on its way. */
export interface Attached {
  readonly live: Promise<LiveRun>;
  readonly abort: AbortController;
  readonly work: BackgroundWork;
  /** What it hears before anything else. */
  readonly callbacks: readonly CommandOf<"component_callback">[];
  /** It has started; before that it may still wait for a slot. */
  hasStarted: boolean;
  /** What it takes from files; see `ConfigurationSource`. */
  configurationKey?: string;
  /** What it takes from its policy mode. */
  maxTurns?: number;
}

/** How often the policy mode lets the agent call its model in a turn, where the runtime can keep to it. */
export function maxTurnsOf({ capabilities }: Runtime, gate: SessionGate): number | undefined {
  return capabilities.session_options?.includes("max_turns") === true ? gate.maxTurns : undefined;
}

export function sessionEnding(): RuntimeError {
  return new RuntimeError("busy", "The session is hibernating. Try again.");
}

/** Aborts a run that is on its way, ends one that lives; resolves when it is gone. */
export async function endRun(attached: Attached): Promise<void> {
  attached.abort.abort(sessionEnding());
  const live = await attached.live.catch(() => undefined);
  await live?.close();
  await live?.ended;
}

/** A turn that waits for a slot looks like one that hangs: the log says why. */
export function recordWaiting(recorder: Pick<Recorder, "control" | "record">) {
  return ({ limit, isShared }: SlotLimit): void => {
    const { turn } = recorder.control;
    const owner = isShared ? "the hosts of this server run" : "this server runs";
    const text = `Waiting for a free agent: all ${limit} that ${owner} at once are busy.`;
    recorder.record([
      draft("notice", { level: "info", text }, turn ? { turn_id: turn.turn_id } : {}),
    ]);
  };
}
