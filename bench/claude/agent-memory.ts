import { readdirSync, readFileSync } from "node:fs";

/** The memory that is the own share of each agent of this process, as the kernel counts it (MB). */
export function agentMemory(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
        const [, parent] = /^\d+ \(claude\) [^Z] (\d+)/.exec(stat) ?? [];
        if (Number(parent) !== process.pid) return [];
        const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
        return [Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1]) / 1024];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
}
