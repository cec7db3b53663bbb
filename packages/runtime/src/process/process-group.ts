import type { Clock } from "@turnwire/base";
import type { ProcessEntry, ProcessTable } from "./process-table.ts";

/** The environment variable that marks an agent and all that it starts, also what leaves its group. */
export const markName = "TURNWIRE_AGENT";

/** What an agent's processes are known by: the leader of their group, and the mark they inherit. */
export interface GroupIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly mark: string;
}

export interface EndGroupOptions {
  readonly table: ProcessTable;
  readonly clock: Clock;
  /** How long to wait after SIGTERM, and after SIGKILL. */
  readonly termMs: number;
  readonly killMs: number;
  /**
   * Whether the group is still the agent's, given what now has the leader's pid: pids are reused.
   * Marked processes are ended in any case.
   */
  readonly ownsGroup: (leader: ProcessEntry | undefined) => boolean;
}

export interface EndedGroup {
  /** How many processes there were at first. */
  readonly found: number;
  /** The pids that would not go. */
  readonly survivors: readonly number[];
}

/** Ends all of an agent's processes, politely first. */
export async function endGroup(
  identity: GroupIdentity,
  options: EndGroupOptions,
): Promise<EndedGroup> {
  const { clock, table, termMs, killMs } = options;
  let survivors = await findSurvivors(identity, options);
  const found = survivors.length;
  for (const { signal, graceMs } of [
    { signal: "SIGTERM", graceMs: termMs },
    { signal: "SIGKILL", graceMs: killMs },
  ] as const) {
    const signalled = new Set<number>();
    let waitMs = 5;
    // What was waited counts, not the time of day: a clock that is set back must not put off SIGKILL.
    for (let leftMs = graceMs; survivors.length > 0 && leftMs > 0;) {
      const fresh = survivors.filter(({ pid }) => !signalled.has(pid));
      signalAll(identity, fresh, signal);
      for (const { pid } of fresh) signalled.add(pid);
      await clock.wait(waitMs);
      leftMs -= waitMs;
      waitMs = Math.min(waitMs * 2, 100);
      survivors = await stillAlive(survivors, table);
      // What died may have left children behind that were not there before.
      if (survivors.length === 0) survivors = await findSurvivors(identity, options);
    }
  }
  return { found, survivors: survivors.map(({ pid }) => pid) };
}

async function findSurvivors(
  identity: GroupIdentity,
  { table, ownsGroup }: EndGroupOptions,
): Promise<ProcessEntry[]> {
  const entries = await table.list();
  const isOurs = ownsGroup(entries.find(({ pid }) => pid === identity.pid));
  const mark = `${markName}=${identity.mark}`;
  const belongs = await Promise.all(
    entries.map(async ({ pid, group, isZombie }) => {
      if (isZombie || pid === process.pid) return false;
      return (isOurs && group === identity.pid) || table.hasVariable(pid, mark);
    }),
  );
  return entries.filter((_, index) => belongs[index]);
}

async function stillAlive(
  entries: readonly ProcessEntry[],
  table: ProcessTable,
): Promise<ProcessEntry[]> {
  const now = await Promise.all(entries.map(({ pid }) => table.find(pid)));
  return entries.filter((entry, index) => {
    const found = now[index];
    return found !== undefined && !found.isZombie && found.startTime === entry.startTime;
  });
}

function signalAll(
  identity: GroupIdentity,
  entries: readonly ProcessEntry[],
  signal: "SIGTERM" | "SIGKILL",
): void {
  const outside = entries.filter(({ group }) => group !== identity.pid);
  // One call for the whole group leaves no moment in which a member could fork unseen.
  if (outside.length < entries.length) sendSignal(-identity.pid, signal);
  for (const { pid } of outside) sendSignal(pid, signal);
}

/** Sends a signal; a process that is gone already, or not ours to signal, is left to the next look. */
export function sendSignal(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (!isSystemError(error, "ESRCH") && !isSystemError(error, "EPERM")) throw error;
  }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}
