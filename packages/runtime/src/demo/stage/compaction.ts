import type { Memory } from "./memory.ts";
import type { DemoMessageOf } from "./message.ts";

/** What compacting says; the demo has little to sum up, so the sizes are rough. */
export function compaction(memory: Memory, instructions?: string): DemoMessageOf<"compacted"> {
  const about = instructions === undefined ? "" : ` Kept in mind: ${instructions}`;
  const before = 1000 + 500 * memory.turns;
  return {
    type: "compacted",
    summary: `${memory.turns} earlier turns with the demo agent.${about}`,
    before,
    after: Math.ceil(before / 10),
  };
}
