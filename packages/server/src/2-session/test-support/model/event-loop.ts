import { setImmediate as nextTurnOfLoop } from "node:timers/promises";

/** More than any history needs; a wait beyond it is a fault of the harness. */
const maxTurns = 100_000;

/**
 * Lets the event loop run. Work outside of it (files, a store's thread) takes no time: a turn ends
 * only when all of that has come back, so the same history runs the same way on every machine.
 */
export async function runTurns(count: number, isBusyOutside: () => boolean): Promise<void> {
  for (let turn = 0; turn < count; turn++) {
    await nextTurnOfLoop();
    for (let waited = 0; isBusyOutside() || hasFileWork(); waited++) {
      if (waited > maxTurns) throw new Error("work outside the event loop never came back");
      await nextTurnOfLoop();
    }
  }
}

function hasFileWork(): boolean {
  return process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));
}
