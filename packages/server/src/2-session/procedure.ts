import { errorText } from "../1-runtime/error-text.ts";
import type { Command, CommandOf } from "@turnwire/protocol";
import { draft } from "@turnwire/protocol";
import { refuseByStatus } from "./decide.ts";
import type { Recorder } from "./recorder.ts";
import type { Result } from "./result.ts";
import { accepted, rejected } from "./result.ts";
import type { SessionAgent } from "./session-agent.ts";
import { readTurns } from "./turn-list.ts";

/** What the procedures work on. */
export interface ProcedureContext {
  readonly recorder: Recorder;
  readonly agent: SessionAgent;
  /** The principal that asked. */
  readonly by: string;
}

/** Undoes turns: the agent forgets them first, then the log says so. */
export async function rollBack(
  command: CommandOf<"rollback">,
  { recorder, agent, by }: ProcedureContext,
): Promise<Result<{ seq: number }>> {
  const refusal = refuseProcedure(recorder, command, "rollback");
  if (refusal) return refusal;
  if (command.files === true && !recorder.control.session.capabilities.rollback_files) {
    return rejected(
      "capability_missing",
      "This runtime cannot restore files: roll back without them.",
      { capability: "rollback_files" },
    );
  }
  const turns = await readTurns(recorder.log);
  const turnIndex = turns.findIndex((turn) => turn.turnId === command.turn_id);
  if (turnIndex < 0) {
    return rejected("invalid_request", `This session has no finished turn ${command.turn_id}.`);
  }
  return withAgent(async () => {
    const live = await agent.ensure();
    const { filesRestored } = await live.rollback({
      turnIndex,
      turnIds: turns.map((turn) => turn.turnId),
      files: command.files === true,
    });
    const { events, committed } = recorder.record([
      draft("rolled_back", {
        turn_id: command.turn_id,
        ...(filesRestored && { files_restored: filesRestored }),
        by,
      }),
    ]);
    await committed;
    return { seq: events.at(-1)?.seq ?? recorder.control.seq };
  });
}

/** Asks the agent to shorten its memory; it reports by `compacted`. */
export async function compact(
  command: CommandOf<"compact">,
  { recorder, agent }: ProcedureContext,
): Promise<Result<{ seq: number }>> {
  const refusal = refuseProcedure(recorder, command, "compact");
  if (refusal) return refusal;
  return withAgent(async () => {
    const live = await agent.ensure();
    await live.compact(command.instructions);
    return { seq: recorder.control.seq };
  });
}

function refuseProcedure(
  { control }: Recorder,
  command: Command,
  capability: "rollback" | "compact",
): ReturnType<typeof rejected> | undefined {
  const refusal = refuseByStatus(control, command);
  if (refusal) return refusal;
  if (!control.session.capabilities[capability]) {
    return rejected("capability_missing", `This runtime has no ${capability}.`, { capability });
  }
  if (control.turn) return rejected("turn_running", "A turn runs: wait for its end or stop it.");
  return undefined;
}

async function withAgent<Value>(work: () => Promise<Value>): Promise<Result<Value>> {
  try {
    return accepted(await work());
  } catch (error) {
    return rejected("runtime_unavailable", errorText(error));
  }
}
