import { systemClock } from "@turnwire/base";
import type { TurnwireClient } from "@turnwire/client";

/** The pause that another run may make between two of its turns. */
const PAUSE_MS = 3000;

export interface OtherWorkOptions {
  /** The sessions of this run, whose work is over. */
  readonly ownIds: ReadonlySet<string>;
  /** Aborted when there is no time to wait. */
  readonly signal: AbortSignal;
  /** Called once, if there is anything to wait for. */
  readonly onWait: () => void;
}

/** Waits until no other session of the server works, such as those of a run that found this server and uses it. */
export async function otherWorkDone(
  client: TurnwireClient,
  { ownIds, signal, onWait }: OtherWorkOptions,
): Promise<void> {
  const list = client.openSessionList({ activity: "working" });
  const isKnown = (): boolean => list.getState().status === "live";
  const isBusy = (): boolean =>
    list.getState().sessions.some(({ session_id: id }) => !ownIds.has(id));
  const changed = (holds: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (holds() || signal.aborted) resolve();
      };
      list.subscribe(look);
      signal.addEventListener("abort", look);
      look();
    });
  try {
    await changed(() => isKnown() || list.getState().status === "failed");
    if (isBusy() && !signal.aborted) onWait();
    while (isBusy() && !signal.aborted) {
      await changed(() => !isBusy());
      await systemClock.wait(PAUSE_MS, signal);
    }
  } finally {
    list.close();
  }
}
