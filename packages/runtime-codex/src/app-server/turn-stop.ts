import type { CodexThread } from "./thread.ts";
import type { TurnWatch } from "./turn-watch.ts";
import { systemClock } from "@turnwire/base";
import { sendSignal, type ProcessEntry, systemProcessTable } from "@turnwire/runtime/process";

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

/** How often is looked for what is left, and the pause between two looks. */
const maxLooks = 10;
const pauseMs = 20;

/**
 * Kills what is left of a thread's commands. Codex 0.166.0 ends a command by killing the first process
 * of its sandbox; one that was just building the sandbox then leaves the command behind, as no one's
 * child and in no list. Every command carries its thread's id in its environment.
 */
async function killCommands(threadId: string): Promise<void> {
  for (let look = 0; look < maxLooks; look += 1) {
    const left = await commandsOf(threadId);
    if (left.length === 0) return;
    for (const { pid } of left) sendSignal(pid, "SIGKILL");
    await systemClock.wait(pauseMs);
  }
}

async function commandsOf(threadId: string): Promise<ProcessEntry[]> {
  const table = systemProcessTable();
  const entries = (await table.list()).filter(({ isZombie }) => !isZombie);
  const entry = `CODEX_THREAD_ID=${threadId}`;
  const belongs = await Promise.all(entries.map(({ pid }) => table.hasVariable(pid, entry)));
  return entries.filter((_, index) => belongs[index]);
}
