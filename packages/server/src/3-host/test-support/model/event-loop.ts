import { setImmediate as nextTurnOfLoop } from "node:timers/promises";

/** Longer than a loaded machine needs for a file or a commit; a longer wait is a fault of the harness. */
const maxWaitMs = 60_000;

/**
 * Lets the event loop run. Work outside of it (files, a store's thread) takes no time: a turn ends
 * only when all of that has come back, so the same history runs the same way on every machine.
 */
export async function runTurns(count: number, isBusyOutside: () => boolean): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await nextTurnOfLoop();
    const deadline = performance.now() + maxWaitMs;
    while (isBusyOutside() || hasFileWork()) {
      if (performance.now() > deadline) {
        throw new Error("work outside the event loop never came back");
      }
      await nextTurnOfLoop();
    }
  }
}

/** So many turns after the last file came back, whatever waited for it has come to rest. */
const restTurns = 8;

/**
 * The same for work that nothing else may overtake: where a turn had to wait for files, for however
 * many turns of the loop, all that runs beside it comes to rest too before the next.
 */
export async function runTurnsToRest(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await nextTurnOfLoop();
    for (
      let rest = hasFileWork() ? restTurns : 0;
      rest > 0;
      rest = hasFileWork() ? restTurns : rest - 1
    ) {
      await runTurns(1, () => false);
    }
  }
}

function hasFileWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
}
