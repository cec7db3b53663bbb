import { systemClock } from "@turnwire/base";
import { sendSignal } from "../process/process-group.ts";
import { type ProcessEntry, systemProcessTable } from "../process/process-table.ts";

/** How often is looked for what is left, and the pause between two looks. */
const maxLooks = 10;
const pauseMs = 20;

/**
 * Kills what is left of a thread's commands. Codex 0.166.0 ends a command by killing the first process
 * of its sandbox; one that was just building the sandbox then leaves the command behind, as no one's
 * child and in no list. Every command carries its thread's id in its environment.
 */
export async function killCommands(threadId: string): Promise<void> {
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
