import { killCommands } from "./command-process.ts";
import type { CodexThread } from "./thread.ts";
import type { TurnWatch } from "./turn-watch.ts";

/** Stops what a thread and its sub-agents are at: an interrupt ends turns only, their commands would continue. */
export async function stopTurns(thread: CodexThread, turns: TurnWatch): Promise<void> {
  const running = turns.running;
  const stopped = await Promise.allSettled(
    running.map(async ([threadId, turnId]) => {
      await thread.call("turn/interrupt", { threadId, turnId });
    }),
  );
  const threads = new Set([thread.id, ...running.map(([threadId]) => threadId)]);
  if (turns.hasAny) {
    await Promise.allSettled([...threads].map((threadId) => endCommands(thread, threadId)));
  }
  // A turn that ended by itself meanwhile cannot be stopped and need not be.
  const own = running.findIndex(([threadId]) => threadId === thread.id);
  const failure = stopped[own];
  const isRunning = turns.turnOf(thread.id) !== undefined;
  if (failure?.status === "rejected" && isRunning) throw failure.reason;
}

/** Ends the commands that a thread has left running. */
export async function endCommands(thread: CodexThread, threadId: string): Promise<void> {
  await thread.call("thread/backgroundTerminals/clean", { threadId });
  await killCommands(threadId);
}
