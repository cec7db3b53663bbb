import { isDeepStrictEqual } from "node:util";
import {
  accepted,
  type Command,
  type CommandOf,
  draft,
  type EventDraft,
  rejected,
  type Result,
} from "@turnwire/protocol";
import { type Store, StoreError } from "@turnwire/log";
import { refuseByStatus } from "./decide/decide.ts";
import type { Recorder } from "./record/recorder.ts";
import type { Retention } from "./record/retention.ts";
import { refusalFrom } from "./agent/runtime-failure.ts";
import type { SessionAgent } from "./agent/session-agent.ts";
import { sharedStateEvents } from "./decide/shared-state-events.ts";
import type { SnapshotFolder } from "./record/snapshot.ts";
import { type FinishedTurn, readTurns } from "./decide/turn-list.ts";
import type { ComponentIndex } from "./ui/component-index.ts";
import { restoringEvents } from "./ui/restoring-events.ts";
import { uiWithoutTurns } from "./without-turns.ts";

export type ProcedureCommand = CommandOf<"rollback"> | CommandOf<"compact">;

export interface ProceduresOptions {
  readonly recorder: Recorder;
  readonly agent: SessionAgent;
  readonly store: Store;
  readonly retention: Retention;
  readonly snapshots: SnapshotFolder;
  readonly components: ComponentIndex;
  /** What waited for the procedure may start. */
  readonly onEnded: () => void;
}

/**
 * Commands that the agent carries out before the log says so. One at a time, and no turn starts
 * meanwhile; all other commands are taken as ever.
 */
export class Procedures {
  readonly #options: ProceduresOptions;
  #running: ProcedureCommand["type"] | undefined;

  constructor(options: ProceduresOptions) {
    this.#options = options;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** `by` is the principal that asked. */
  async run(command: ProcedureCommand, by: string): Promise<Result<{ seq: number }>> {
    const refusal = this.#refusal(command);
    if (refusal) return refusal;
    this.#running = command.type;
    try {
      return await (command.type === "rollback"
        ? this.#options.retention.hold(() => this.#rollBack(command, by))
        : this.#compact(command));
    } catch (error) {
      return rejectedBy(error);
    } finally {
      this.#running = undefined;
      this.#options.onEnded();
    }
  }

  /** Undoes turns: the agent forgets them first, then the log says so. */
  async #rollBack(command: CommandOf<"rollback">, by: string): Promise<Result<{ seq: number }>> {
    const { recorder, agent, store } = this.#options;
    const turns = await readTurns(recorder.log, store);
    const turnIndex = turns.findIndex((turn) => turn.turnId === command.turn_id);
    if (turnIndex < 0) {
      return rejected("invalid_request", `This session has no finished turn ${command.turn_id}.`);
    }
    await agent.wake();
    // An agent may have begun a turn by itself meanwhile.
    const refusal = this.#refuseWhileWorking();
    if (refusal) return refusal;
    const { filesRestored } = await agent.rollback({
      turnIndex,
      turnIds: turns.map((turn) => turn.turnId),
      files: command.files === true,
    });
    agent.settle({ code: "turn_lost", message: "The turn began during a rollback." });
    const restored = await this.#uiEvents(turns.slice(turnIndex), by);
    const { events, committed } = recorder.record([
      draft("rolled_back", {
        turn_id: command.turn_id,
        ...(filesRestored && { files_restored: filesRestored }),
        by,
      }),
      ...restored,
    ]);
    await committed;
    if (restored.some(({ type }) => type === "state_snapshot")) {
      await agent.perform({ type: "shared_state" });
    }
    return accepted({ seq: events.at(-1)?.seq ?? recorder.control.seq });
  }

  /** What takes back the components and the shared state of these turns; nothing where retention has removed their beginning. */
  async #uiEvents([first, ...rest]: readonly FinishedTurn[], by: string): Promise<EventDraft[]> {
    const { recorder, snapshots, components } = this.#options;
    if (first?.startedSeq === undefined) return [];
    const before = await snapshots.at(first.startedSeq - 1);
    const undone = new Set([first, ...rest].map(({ turnId }) => turnId));
    const wanted = await uiWithoutTurns(before, undone, recorder);
    const isSame = isDeepStrictEqual(wanted.shared, recorder.control.shared);
    return [
      ...restoringEvents(components, wanted.components, by),
      ...(isSame ? [] : sharedStateEvents(wanted.shared)),
    ];
  }

  /** Asks the agent to shorten its memory; it reports by `compacted`. */
  async #compact({ instructions }: CommandOf<"compact">): Promise<Result<{ seq: number }>> {
    const { recorder, agent } = this.#options;
    await agent.compact(instructions);
    return accepted({ seq: recorder.control.seq });
  }

  #refusal(command: Command & ProcedureCommand): ReturnType<typeof rejected> | undefined {
    const { control } = this.#options.recorder;
    const refusal = refuseByStatus(control, command);
    if (refusal) return refusal;
    const capability = command.type;
    if (!control.session.capabilities[capability]) {
      return rejected("capability_missing", `This runtime has no ${capability}.`, { capability });
    }
    if (
      command.type === "rollback" &&
      command.files === true &&
      !control.session.capabilities.rollback_files
    ) {
      return rejected(
        "capability_missing",
        "This runtime cannot restore files: roll back without them.",
        { capability: "rollback_files" },
      );
    }
    if (this.#running) {
      return rejected("turn_running", `A ${this.#running} is in progress: wait until it is done.`);
    }
    if (control.queue.length > 0) {
      return rejected("turn_running", "Messages are queued: wait for them, or remove them first.");
    }
    return this.#refuseWhileWorking();
  }

  #refuseWhileWorking(): ReturnType<typeof rejected> | undefined {
    return this.#options.recorder.control.turn
      ? rejected("turn_running", "A turn is running: wait for it to end, or stop it.")
      : undefined;
  }
}

function rejectedBy(error: unknown): ReturnType<typeof rejected> {
  if (error instanceof StoreError) {
    return rejected("store_unavailable", "The command could not be stored: try again.");
  }
  return refusalFrom(error);
}
