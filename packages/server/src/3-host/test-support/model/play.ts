import { createMemoryStore, type Store } from "@turnwire/log";
import { perform } from "./perform.ts";
import { settleWorld } from "./settle-world.ts";
import { type History, historyText } from "./step.ts";
import { World } from "./world.ts";

/** What was played so far, for a closing line. */
export interface PlayCount {
  histories: number;
  commands: number;
  turns: number;
  faults: number;
}

export interface PlayOptions {
  readonly disk?: Store;
  readonly count?: PlayCount;
}

/** Plays a history on an empty disk; answers with every promise that it broke, and how. */
export async function play(
  history: History,
  { disk = createMemoryStore(), count }: PlayOptions = {},
): Promise<string[]> {
  const world = new World(disk, history);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown) => rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  try {
    for (let session = 0; session < history.sessions; session++) {
      world.create();
      await world.run(10);
    }
    for (const step of history.steps) {
      await perform(world, step.act);
      await world.run(step.turns);
    }
    const problems = await settleWorld(world);
    problems.push(...rejections.map((reason) => `unhandled: ${String(reason)}`));
    if (count) {
      count.histories += 1;
      count.commands += world.commands;
      count.turns += world.journal.sent.length;
      count.faults += faultCount(world, history);
    }
    return problems.length > 0 ? [...problems, historyText(history)] : [];
  } finally {
    process.off("unhandledRejection", onRejection);
    await disk.close();
  }
}

/** Store calls that went wrong, agents that died or failed, and crashes. */
function faultCount(world: World, { steps }: History): number {
  const injected = world.processes.reduce((sum, { store }) => sum + store.injected, 0);
  return injected + steps.filter(({ act }) => isFault(act)).length;
}

function isFault(act: History["steps"][number]["act"]): boolean {
  if (act.type === "agent") return act.act === "die" || act.act === "exit";
  return act.type === "crash" || act.type === "fail";
}
